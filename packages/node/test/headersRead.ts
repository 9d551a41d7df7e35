import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Deferred, Effect } from "effect"

interface HeadersMessage {
  readonly request: { readonly origin: string }
}

/** Completes once a request of this process has read the headers of an answer from this port of loopback. */
export const headersRead = (port: number) =>
  Effect.gen(function* () {
    const read = yield* Deferred.make<void>()
    const record = (message: unknown) => {
      const { origin } = (message as HeadersMessage).request
      if (new URL(origin).port === `${port}`) Deferred.unsafeDone(read, Effect.void)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => subscribe("undici:request:headers", record)),
      () => Effect.sync(() => unsubscribe("undici:request:headers", record))
    )
    return read
  })
