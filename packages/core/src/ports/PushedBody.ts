/**
 * A body of a response that is written by callbacks and may stay open for minutes, such as server-sent events. It holds
 * no fiber: thousands of them are open at once.
 */
export interface PushedBody {
  readonly _tag: "PushedBody"
  /**
   * Called once by the transport, when the client reads the body; not at all for HEAD. The body ends by
   * {@link PushClient.end}, or when the transport calls {@link PushWriter.closed}.
   */
  readonly open: (client: PushClient) => PushWriter
}

/** The client of a pushed body. */
export interface PushClient {
  /** Sends text. Returns false if the client has not taken all of it: write on after {@link PushWriter.drained}. */
  readonly write: (text: string) => boolean
  /** Ends the body after what was written. Later writes are ignored. */
  readonly end: () => void
  /** Closes the connection at once, for a client that takes nothing. */
  readonly destroy: () => void
}

/** The writer of an open pushed body. */
export interface PushWriter {
  /** The client has taken what was written. */
  readonly drained: () => void
  /** The client is gone, or the body was sent to its end. Called once. */
  readonly closed: () => void
  /** The host begins to stop: end the body soon. */
  readonly stop: () => void
}

/** Whether a body is a pushed one. */
export const isPushed = (body: unknown): body is PushedBody =>
  typeof body === "object" && body !== null && "_tag" in body && body._tag === "PushedBody"
