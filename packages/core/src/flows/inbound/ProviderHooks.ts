import { Context, Effect } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { isUuid } from "../../kernel/input/Fields.js"
import type { Connection } from "../../model/Connection.js"
import {
  type ChannelProvider,
  ChannelProviders,
  type ProviderAnswer,
  type ProviderRequest
} from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { cachedCredentials } from "../../resources/channels/cachedCredentials.js"
import { FeedUpdates } from "../../resources/conversations/FeedUpdates.js"
import { Inbound } from "./Inbound.js"
import { providerContext } from "./providerContext.js"
import { answerChallenge, receiveWebhook } from "./receiveWebhook.js"
import { unverifiedReporter } from "./unverifiedReporter.js"

/**
 * Requests to `/inbound/{connection}`: webhooks of vendors, and customers of channels that a provider serves itself.
 */
export interface ProviderHooks {
  /** The handler of a path below a connection (empty, or such as `/messages`). Fails with `not_found`. */
  readonly at: (connectionId: string, path: string) => Effect.Effect<ProviderHook, Refusal | ReadError>
}
export const ProviderHooks = Context.GenericTag<ProviderHooks>("@parley/core/ProviderHooks")

/** Handles requests to a connection. */
export interface ProviderHook {
  /** Allowed methods; null: the provider checks the method. */
  readonly methods: ReadonlyArray<string> | null
  /** Maximum body size in bytes. */
  readonly bodyLimit: number
  /**
   * Answers a request after all of its events are stored durably. Fails with `unauthenticated` if verification fails,
   * `bad_request` if the vendor's parser rejects the body, `forbidden` for a failed challenge of the URL, and
   * `service_unavailable` if the credentials cannot be decrypted.
   */
  readonly answer: (request: ProviderRequest) => Effect.Effect<ProviderAnswer, Refusal | CommitError>
}

/** Maximum body size in bytes of a provider without a limit of its own. */
const defaultBodyLimit = 4 * 1_048_576

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const open = cachedCredentials(secretBox)
  const inbound = yield* Inbound
  const feedUpdates = yield* FeedUpdates
  const reportUnverified = unverifiedReporter()

  const credentialsOf = (connection: Connection): Effect.Effect<unknown, Refusal> =>
    Effect.catchTag(open(connection), "SecretUnreadable", ({ reason }) =>
      Effect.zipRight(
        Effect.logError(`the credentials of connection ${connection.id} cannot be opened: it ${reason}`),
        refuse("service_unavailable")
      )
    )

  const hookOf = (connection: Connection, provider: ChannelProvider, path: string): ProviderHook | undefined => {
    const { serve, webhook } = provider
    const withCredentials = <A, E>(use: (credentials: unknown) => Effect.Effect<A, E>) =>
      Effect.flatMap(credentialsOf(connection), use)
    if (webhook !== undefined && path === "") {
      return {
        methods: webhook.challenge === undefined ? ["POST"] : ["GET", "POST"],
        bodyLimit: webhook.bodyLimit ?? defaultBodyLimit,
        answer: (request) =>
          withCredentials((credentials): Effect.Effect<ProviderAnswer, Refusal | CommitError> => {
            const call = { webhook, connection, credentials, request }
            return request.method === "GET"
              ? answerChallenge({ reportUnverified }, call)
              : receiveWebhook({ storage, inbound, credentialsOf, reportUnverified }, call)
          })
      }
    }
    if (serve === undefined) return undefined
    const context = providerContext({ storage, inbound, feedUpdates, secretBox }, provider, connection)
    const { bodyLimit = defaultBodyLimit } = provider
    return {
      methods: null,
      bodyLimit: typeof bodyLimit === "number" ? bodyLimit : bodyLimit(path),
      answer: (request) => withCredentials((credentials) => serve(connection, credentials, request, context))
    }
  }

  return ProviderHooks.of({
    at: (connectionId, path) =>
      Effect.gen(function* () {
        if (!isUuid(connectionId)) return yield* refuse("not_found")
        const connection = yield* readById(storage, "connections", connectionId)
        const provider = connection && providers.byKind.get(connection.provider)
        const hook = connection && provider && hookOf(connection, provider, path)
        return hook ?? (yield* refuse("not_found"))
      })
  })
})
