import type { HttpOutcome } from "./HttpOutcome.js"

/** A page for people, such as behind a link in a mail. It is not stored, indexed or framed, and runs no scripts. */
export const page = (body: string, status = 200): HttpOutcome & { readonly unlimited: true } => ({
  status,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
    "cache-control": "no-store"
  },
  body,
  code: null,
  unlimited: true
})
