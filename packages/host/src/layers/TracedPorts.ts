import { type ChannelProvider, ChannelProviders, HttpSender, Storage, traceparentOf } from "@parley/core"
import { Effect, Layer, type Tracer } from "effect"

/**
 * The ports with a span around every call that leaves the process. Calls to the storage have one inside of a trace
 * only: workers look for jobs all the time. A webhook has the header `traceparent` of its span.
 */
export const layer: Layer.Layer<
  Storage | HttpSender | ChannelProviders,
  never,
  Storage | HttpSender | ChannelProviders
> = Layer.mergeAll(
  Layer.effect(
    Storage,
    Effect.map(
      Storage,
      (storage): Storage => ({
        ...storage,
        commit: (changes) =>
          inTrace(
            "storage.commit",
            Effect.tap(storage.commit(changes), ({ _tag }) => Effect.annotateCurrentSpan("outcome", _tag)),
            { workspace_id: changes.workspaceId }
          ),
        read: (queries) => inTrace("storage.read", storage.read(queries)),
        readAndTakeToken: (queries, tokenRequest) =>
          inTrace("storage.read_and_take_token", storage.readAndTakeToken(queries, tokenRequest)),
        list: (page) => inTrace("storage.list", storage.list(page), { table: page.from }),
        listColumns: (page, columns) =>
          inTrace("storage.list", storage.listColumns(page, columns), { table: page.from }),
        takeToken: (tokenRequest) => inTrace("storage.take_token", storage.takeToken(tokenRequest)),
        takeTokens: (tokenRequests) => inTrace("storage.take_tokens", storage.takeTokens(tokenRequests))
      })
    )
  ),
  Layer.effect(
    HttpSender,
    Effect.map(HttpSender, (sender) => ({
      ...sender,
      post: (request) =>
        Effect.useSpan(
          "webhook.post",
          {
            kind: "client",
            attributes: {
              event_id: request.headers["x-event-id"],
              delivery_attempt_id: request.headers["x-delivery-id"]
            },
            captureStackTrace: false
          },
          (span) =>
            Effect.tap(sender.post(withTrace(request, span)), (result) =>
              Effect.sync(() => {
                if (result._tag === "Answered") span.attribute("status", result.status)
                else span.attribute("error", result.error)
              })
            )
        )
    }))
  ),
  Layer.effect(
    ChannelProviders,
    Effect.map(ChannelProviders, ({ byKind, channels }) => ({
      channels,
      byKind: new Map([...byKind].map(([kind, provider]) => [kind, traced(provider)]))
    }))
  )
)

const inTrace = <A, E>(
  name: string,
  call: Effect.Effect<A, E>,
  attributes: { readonly [name: string]: unknown } = {}
): Effect.Effect<A, E> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.currentSpan === undefined
      ? call
      : Effect.withSpan(call, name, { kind: "client", attributes, captureStackTrace: false })
  )

const withTrace = (request: Parameters<HttpSender["post"]>[0], span: Tracer.Span): typeof request => {
  const traceparent = traceparentOf(span)
  return traceparent === null ? request : { ...request, headers: { ...request.headers, traceparent } }
}

const traced = (provider: ChannelProvider): ChannelProvider => ({
  ...provider,
  send: (connection, credentials, message, now) =>
    provider.send(connection, credentials, message, now).pipe(
      Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("outcome", _tag)),
      Effect.withSpan("provider.send", {
        kind: "client",
        attributes: { provider: provider.kind, connection_id: connection.id, message_id: message.id },
        captureStackTrace: false
      })
    )
})
