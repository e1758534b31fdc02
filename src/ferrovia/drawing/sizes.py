"""The measures of the drawing, in units: the sheet of a usual board is `SHEET` of them wide."""

SHEET = 1200.0
SHAPE = (0.55, 1.25)  # least and greatest height of the sheet, as parts of its width
BORDER = 16.0  # the band around the map
INDENT = (62.0, 62.0)  # cities stay this far inside the map, sideways and up and down

SPACE_DEPTH = 11.0  # of one space, across the route
SPACE_LEAST = 22.0  # of one space, along the route
SPACE_IDEAL = 24.0  # where there is room
SPACE_MOST = 23.0  # as drawn
SPACE_GAP = 3.0
LANE = 14.0  # between the middle lines of a double

CITY = 7.5  # radius
CITY_CLEAR = 4.0  # between a city and the first space

LETTER = 13.5  # font size of a city's name
PLATE_HEIGHT = 16.5
PLATE_PADDING = 4.0
LEADER = 20.0  # a plate further than this from its city is joined to it by a line
