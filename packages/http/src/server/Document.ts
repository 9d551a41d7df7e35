import { createHash } from "node:crypto"
import type { HttpOutcome } from "./HttpOutcome.js"
import { headerOf, type Incoming } from "./Incoming.js"

/** A static document that needs no credential and is not part of a contract. */
export interface Document {
  readonly path: string
  readonly contentType: string
  readonly headers: { readonly [name: string]: string }
  /** Text for the URL of a request, generated on first use. */
  readonly textAt: (url: string) => Text
}

/** A text with its ETag. */
export interface Text {
  readonly text: string
  readonly etag: string
}

/** Caches the text of the last URL. */
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

/** Response to a request for a document. Caches may store it but revalidate it on each use (ETag). */
export const documentOutcome = (document: Document, incoming: Incoming, url: string): HttpOutcome => {
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
