import type { Effect, Stream } from "effect"

/** A request from any transport. */
export interface Incoming {
  readonly method: string
  /** Path and query, relative to where the interface is mounted. */
  readonly url: string
  /** Scheme, host and mount path, such as `https://example.org/messaging`, as far as the transport knows. */
  readonly base?: string
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** The address at the other end of the connection, where the transport knows it. */
  readonly peer: string | null
  /** The whole body, or null where it has more than `limit` bytes. Interrupted when the client goes away in its midst. */
  readonly body: (limit: number) => Effect.Effect<Uint8Array | null>
}

/** What an answer holds: all of it, or a stream that is sent as it comes, no faster than the client takes it. */
export type Body = string | Uint8Array | Stream.Stream<Uint8Array>

/** What goes back. */
export interface Outgoing<B extends Body = Body> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: B
}

/** Whether a body comes bit by bit. */
export const isStream = (body: Body): body is Stream.Stream<Uint8Array> =>
  typeof body !== "string" && !(body instanceof Uint8Array)

/** Whether an answer of this status has a body, and a length (RFC 9110, 6.4.1 and 8.6). */
export const hasContent = (status: number): boolean => status !== 204 && status !== 304

/** A header; one that was sent several times is joined by commas, as HTTP has it. */
export const headerOf = (incoming: Incoming, name: string): string | undefined => {
  const value = incoming.headers[name]
  return value === undefined || typeof value === "string" ? value : value.join(", ")
}

/** The path and the query string (without `?`) of a request target, be it relative or absolute. */
export const targetOf = (url: string): { readonly path: string; readonly search: string } => {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  const end = relative.indexOf("?")
  return end < 0 ? { path: relative, search: "" } : { path: relative.slice(0, end), search: relative.slice(end + 1) }
}

/** The token of `Authorization: Bearer …`, or null where there is none that could be one. */
export const bearerOf = (incoming: Incoming): string | null =>
  /^Bearer +([^\s,]+)$/i.exec(headerOf(incoming, "authorization") ?? "")?.[1] ?? null
