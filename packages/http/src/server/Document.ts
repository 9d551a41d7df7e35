import { createHash } from "node:crypto"
import { headerOf, type Incoming } from "./Incoming.js"
import type { Outcome } from "./Outcome.js"

/** Something to read that needs no credential, beside the operations of a contract. */
export interface Document {
  readonly path: string
  readonly contentType: string
  readonly headers: { readonly [name: string]: string }
  /** Its text at the URL of a request; worked out when it is first asked for. */
  readonly textAt: (url: string) => Text
}

/** A text with what tells it from another one. */
export interface Text {
  readonly text: string
  readonly etag: string
}

/** The text that `make` makes for a URL, and made last for the same one. */
export const latest = (make: (url: string) => string): Document["textAt"] => {
  let last: (Text & { readonly url: string }) | null = null
  return (url) => {
    if (last?.url !== url) {
      const text = make(url)
      last = { url, text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` }
    }
    return last
  }
}

/** The answer to a request for a document: it may be kept, and is asked about each time it is used. */
export const documentOutcome = (document: Document, incoming: Incoming, url: string): Outcome => {
  const { text, etag } = document.textAt(url)
  const headers = {
    ...document.headers,
    "content-type": document.contentType,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    etag
  }
  return hasAlready(incoming, etag)
    ? { status: 304, headers, body: "", code: null }
    : { status: 200, headers, body: text, code: null }
}

const hasAlready = (incoming: Incoming, etag: string): boolean =>
  (headerOf(incoming, "if-none-match") ?? "")
    .split(",")
    .map((known) => known.trim().replace(/^W\//, ""))
    .some((known) => known === etag || known === "*")
