import { type InProcessCaller, isPushed, type PushedBody } from "@parley/core"
import { Data, type Effect, type Stream } from "effect"

/** Who calls in this process. Set in place of a credential, never by a transport. */
export interface InProcessIdentity {
  readonly application?: InProcessCaller
  /** Scope in which the `Idempotency-Key` of an administrator is the name of a declared part. */
  readonly declaredIn?: string
}

/** The client disconnected before the end of the body. */
export class BodyCutOff extends Data.TaggedError("BodyCutOff") {}

/** A request from any transport. */
export interface Incoming extends InProcessIdentity {
  readonly method: string
  /** Path and query, relative to the mount path. */
  readonly url: string
  /** Scheme, host and mount path, for example `https://example.org/messaging`, if the transport knows them. */
  readonly base?: string
  /** Keys are lower case. Several values: the header was repeated. */
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** Address of the connection's peer; null if the transport does not know it. */
  readonly peer: string | null
  /** True for a call of `parley.as` or `parley.admin`, which does not wait for a start. Default: false. */
  readonly isInProcess?: boolean
  /**
   * Reads the body; null if it exceeds `limit` bytes. Interrupted if the client disconnects before the end. Calls
   * `onBytes` as bytes arrive, with the number received so far and the number of them that are kept.
   */
  readonly body: (limit: number, onBytes?: (received: number, kept: number) => void) => Effect.Effect<Uint8Array | null>
  /**
   * The body as it arrives, with backpressure to the client, instead of {@link body}. Fails if the client disconnects
   * before the end. Absent: the transport has none.
   */
  readonly bytes?: Stream.Stream<Uint8Array, BodyCutOff>
  /**
   * Reads the rest of {@link bytes} that were not read to their end: many clients read a response only once they have
   * sent their body. Default: nothing.
   */
  readonly discard?: Effect.Effect<void>
}

/** Body of a response: complete, or a stream or pushed body with backpressure from the client. */
export type Body = string | Uint8Array | Stream.Stream<Uint8Array> | PushedBody

/** A response to the transport. */
export interface Outgoing<B extends Body = Body> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: B
}

/** Whether a body is a stream. */
export const isStream = (body: Body): body is Stream.Stream<Uint8Array> =>
  typeof body !== "string" && !(body instanceof Uint8Array) && !isPushed(body)

/** Whether a response with this status has content and a `Content-Length` (RFC 9110, 6.4.1 and 8.6). */
export const hasContent = (status: number): boolean => status !== 204 && status !== 304

/** A header by lower-case name. Repeated headers are joined by commas, as HTTP defines. */
export const headerOf = (incoming: Incoming, name: string): string | undefined => {
  const value = incoming.headers[name]
  return value === undefined || typeof value === "string" ? value : value.join(", ")
}

/** Whether a header, by lower-case name, was sent more than once. */
export const isRepeated = ({ headers }: Incoming, name: string): boolean => {
  const value = headers[name]
  return value !== undefined && typeof value !== "string" && value.length > 1
}

/** Path and query string (without `?`) of a request target, relative or absolute. */
export const targetOf = (url: string): { readonly path: string; readonly search: string } => {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  const end = relative.indexOf("?")
  return end < 0 ? { path: relative, search: "" } : { path: relative.slice(0, end), search: relative.slice(end + 1) }
}

/** Token of `Authorization: Bearer …`; null if the header is absent or malformed. */
export const bearerOf = (incoming: Incoming): string | null =>
  /^Bearer +([^\s,]+)$/i.exec(headerOf(incoming, "authorization") ?? "")?.[1] ?? null
