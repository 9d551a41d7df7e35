import { type ChannelProvider, ChannelProviders, HttpSender, Storage } from "@parley/core"
import { Effect, Layer } from "effect"

/** The ports with a span around every call that leaves the process. */
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
          storage.commit(changes).pipe(
            Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("outcome", _tag)),
            Effect.withSpan("storage.commit", { attributes: { workspace_id: changes.workspaceId } })
          ),
        read: (queries) => Effect.withSpan(storage.read(queries), "storage.read"),
        readAndTakeToken: (queries, tokenRequest) =>
          Effect.withSpan(storage.readAndTakeToken(queries, tokenRequest), "storage.read_and_take_token"),
        list: (page) => Effect.withSpan(storage.list(page), "storage.list", { attributes: { table: page.from } }),
        listColumns: (page, columns) =>
          Effect.withSpan(storage.listColumns(page, columns), "storage.list", { attributes: { table: page.from } }),
        takeToken: (tokenRequest) => Effect.withSpan(storage.takeToken(tokenRequest), "storage.take_token"),
        claimJobs: (request) => Effect.withSpan(storage.claimJobs(request), "storage.claim_jobs")
      })
    )
  ),
  Layer.effect(
    HttpSender,
    Effect.map(HttpSender, (sender) => ({
      ...sender,
      post: (request) =>
        sender.post(request).pipe(
          Effect.tap((result) =>
            Effect.annotateCurrentSpan(result._tag === "Answered" ? { status: result.status } : { error: result.error })
          ),
          Effect.withSpan("webhook.post", {
            kind: "client",
            attributes: {
              event_id: request.headers["x-event-id"],
              delivery_attempt_id: request.headers["x-delivery-id"]
            }
          })
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

const traced = (provider: ChannelProvider): ChannelProvider => ({
  ...provider,
  send: (connection, credentials, message, now) =>
    provider.send(connection, credentials, message, now).pipe(
      Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("outcome", _tag)),
      Effect.withSpan("provider.send", {
        kind: "client",
        attributes: { provider: provider.kind, connection_id: connection.id, message_id: message.id }
      })
    )
})
