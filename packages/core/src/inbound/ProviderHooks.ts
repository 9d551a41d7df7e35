import { Context, Effect, Layer } from "effect"
import type { Connection } from "../channels/Connection.js"
import { rememberedCredentials } from "../channels/rememberedCredentials.js"
import { FeedNews } from "../conversations/FeedNews.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { isUuid } from "../input/Fields.js"
import {
  type ChannelProvider,
  ChannelProviders,
  type ProviderAnswer,
  type ProviderRequest
} from "../ports/ChannelProvider.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../ports/Storage.js"
import { connectionDoor } from "./connectionDoor.js"
import { Inbound } from "./Inbound.js"
import { answerChallenge, takeWebhook } from "./takeWebhook.js"

/** Where vendors, and customers of channels that we serve ourselves, reach a connection: `/inbound/{connection}`. */
export interface ProviderHooks {
  /** What takes requests at a path below a connection (empty, or such as `/messages`); `not_found` where nothing does. */
  readonly at: (connectionId: string, path: string) => Effect.Effect<ProviderHook, Refusal | ReadError>
}
export const ProviderHooks = Context.GenericTag<ProviderHooks>("@parley/core/ProviderHooks")

/** What takes requests to a connection. */
export interface ProviderHook {
  /** The methods that it takes; null: the provider sees to that. */
  readonly methods: ReadonlyArray<string> | null
  /** The longest body that it takes, in bytes. */
  readonly bodyLimit: number
  /**
   * Answers a request, once everything that it brought is durably stored. `unauthenticated` where the vendor did not send
   * it, `bad_request` where it is not of the vendor's shape, `forbidden` for a wrong check of the URL, `service_unavailable`
   * where the credentials cannot be opened.
   */
  readonly answer: (request: ProviderRequest) => Effect.Effect<ProviderAnswer, Refusal | CommitError>
}

/** The longest body in bytes where a provider does not say. */
const defaultBodyLimit = 4 * 1_048_576

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const open = rememberedCredentials(yield* SecretBox)
  const inbound = yield* Inbound
  const news = yield* FeedNews

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
              ? answerChallenge(call)
              : takeWebhook({ storage, inbound, credentialsOf }, call)
          })
      }
    }
    if (serve === undefined) return undefined
    const door = connectionDoor({ storage, inbound, news }, provider, connection)
    return {
      methods: null,
      bodyLimit: provider.bodyLimit ?? defaultBodyLimit,
      answer: (request) => withCredentials((credentials) => serve(connection, credentials, request, door))
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

export const layer: Layer.Layer<ProviderHooks, never, Storage | ChannelProviders | SecretBox | Inbound | FeedNews> =
  Layer.effect(ProviderHooks, make)
