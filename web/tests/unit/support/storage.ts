import { forget, stored } from '../../../src/lib/storage.ts';

// Files share the modules they load: each begins in a browser that has stored nothing.
for (const key of stored('')) forget(key);
