import type { Plugin } from 'vite';

/**
 * A plugin for the game that needs no server: what a host would say in headers stands in the document, and what
 * people see who cannot run it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self' blob:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function pageDocument(): Plugin {
  return {
    name: 'ferrovia-page-document',
    apply: 'build',
    transformIndexHtml: (html) =>
      html
        .replace(
          '<meta charset="utf-8" />',
          `$&\n    <meta http-equiv="content-security-policy" content="${POLICY}" />`,
        )
        .replace('<meta name="robots" content="noindex" />', '<meta name="referrer" content="no-referrer" />')
        .replace('<link rel="icon" href="data:," />', '<link rel="icon" href="./icon.svg" type="image/svg+xml" />'),
  };
}
