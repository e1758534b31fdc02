export default {
  extends: 'stylelint-config-standard',
  overrides: [{ files: '**/*.svelte', customSyntax: 'postcss-html' }],
  rules: {
    // Svelte's own.
    'selector-pseudo-class-no-unknown': [true, { ignorePseudoClasses: ['global'] }],
    // Colours are plain numbers: tests read them too.
    'alpha-value-notation': 'number',
    'hue-degree-notation': 'number',
    'lightness-notation': 'number',
    // Keywords and names of fonts are written as their specifications write them.
    'value-keyword-case': ['lower', { ignoreKeywords: ['currentColor', 'geometricPrecision', 'Georgia'] }],
    // `max-width` reaches browsers that know no ranges.
    'media-feature-range-notation': 'prefix',
    // What lies over what is one list (styles/tokens.css); 1 and -1 order the parts of a component.
    'declaration-property-value-disallowed-list': { 'z-index': ['/^[2-9]/'] },
    // A part of the table carries the classes of the layout itself (`classesOf` in table/layout.ts): it reaches for no ancestor.
    'selector-disallowed-list': ['/:global\\([^)]*\\.(?:side|foot|small|one-row|spare|over|watching)\\b/'],
    // Layouts exclude one another: rules of two of them, which this compares, never meet at one element.
    'no-descending-specificity': null,
    // A custom property that `calc` takes keeps its unit.
    'length-zero-no-unit': [true, { ignore: ['custom-properties'], ignoreFunctions: ['var'] }],
    // Declarations stand together: empty lines divide what a person wants divided.
    'rule-empty-line-before': null,
    'at-rule-empty-line-before': null,
    'comment-empty-line-before': null,
    'custom-property-empty-line-before': null,
    'declaration-empty-line-before': null,
    // Safari has no other name for them.
    'property-no-vendor-prefix': [true, { ignoreProperties: ['-webkit-user-select', '-webkit-text-size-adjust'] }],
  },
};
