import { Context, Duration, Effect, Either, Layer } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { openCredentials } from "../../channels/openCredentials.js"
import { standingJobs } from "../../channels/standingJobs.js"
import { takeTemplates } from "../../channels/takeTemplates.js"
import { Decider } from "../../Decider.js"
import { invalid, type Refusal, refuse } from "../../errors/Refusal.js"
import { changes, expect } from "../../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, CheckOutcome } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Synced } from "../../templates/syncTemplates.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/** Asks vendors about connections while an administrator waits. An unknown id is `not_found`. */
export interface ConnectionChecks {
  /** Tries the settings without sending anything; `validation_failed` where the provider cannot. */
  readonly check: (id: string) => Effect.Effect<CheckOutcome, Refusal | ReadError>
  /**
   * Has the vendor call us at this URL; what the vendor refuses is `channel_setup_failed`. Answers what was done, for a
   * person. `validation_failed` where the provider cannot.
   */
  readonly setUp: (id: string, webhookUrl: string) => Effect.Effect<string, Refusal | CommitError>
  /**
   * Takes the account's templates over now, and sees to it that an active connection has its jobs; `provider_error` where the
   * vendor does not tell them.
   */
  readonly syncTemplates: (id: string) => Effect.Effect<Synced, Refusal | CommitError>
}
export const ConnectionChecks = Context.GenericTag<ConnectionChecks>("@parley/core/ConnectionChecks")

/** How long an administrator waits for a vendor. */
const patience = Duration.seconds(30)

type Ask = (connection: Connection, credentials: unknown) => Effect.Effect<CheckOutcome>

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { byKind } = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const decider = yield* Decider
  const { decideAndCommit } = decider

  const ask = (connection: Connection, question: Ask | undefined, words: string) =>
    question === undefined
      ? invalid({ provider: [words] })
      : openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => question(connection, credentials)),
          Effect.catchTag("SecretUnreadable", ({ reason }) =>
            Effect.succeed(
              CheckOutcome.Failing({ problem: `Its credentials cannot be opened: ${reason}. Give them again.` })
            )
          ),
          Effect.timeoutTo({
            duration: patience,
            onSuccess: (outcome) => outcome,
            onTimeout: () =>
              CheckOutcome.Failing({ problem: `The vendor did not answer within ${Duration.format(patience)}.` })
          })
        )

  const providerOf = ({ provider }: Connection): ChannelProvider | undefined => byKind.get(provider)

  return ConnectionChecks.of({
    check: (id) =>
      Effect.gen(function* () {
        const connection = yield* found(yield* readById(storage, "connections", id))
        return yield* ask(
          connection,
          providerOf(connection)?.check,
          "must be one that this host has and that can check"
        )
      }),
    setUp: (id, webhookUrl) =>
      Effect.gen(function* () {
        const connection = yield* found(yield* readById(storage, "connections", id))
        const setUp = providerOf(connection)?.setUp
        const outcome = yield* ask(
          connection,
          setUp && ((connection, credentials) => setUp(connection, credentials, webhookUrl)),
          "must be one whose vendor can be told where to call: others need no setup, or enter the URL where the vendor asks for it"
        )
        if (outcome._tag === "Failing") {
          return yield* refuse(
            "channel_setup_failed",
            { provider: connection.provider, problem: outcome.problem },
            `The webhook could not be set up: ${outcome.problem}`
          )
        }
        const { workspaceId } = connection
        const entry = { workspaceId, applicationId: null, action: "connection.set_up", subjectId: id }
        return yield* decideAndCommit(Effect.void, (_, now, ids) =>
          Either.right({
            changes: changes(workspaceId, {
              expects: [expect("connections", { id })],
              inserts: [audited(entry, now, ids)]
            }),
            result: outcome.detail
          })
        )
      }),
    syncTemplates: (id) =>
      Effect.gen(function* () {
        const connection = yield* found(yield* readById(storage, "connections", id))
        const provider = providerOf(connection)
        if (provider?.listTemplates === undefined) {
          return yield* invalid({ provider: ["must be one that this host has and whose vendor keeps templates"] })
        }
        // It may have been made before its provider knew of templates.
        yield* decideAndCommit(readById(storage, "connections", id), (present, now) =>
          Either.right({
            changes:
              present?.status === "active"
                ? changes(present.workspaceId, standingJobs(present, provider, now), {
                    expects: [expect("connections", { id }, { status: "active" })]
                  })
                : null,
            result: undefined
          })
        )
        return yield* openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => takeTemplates(storage, decider, { connection, provider, credentials })),
          Effect.catchTags({
            SecretUnreadable: ({ reason }) => untold(provider.kind, reason),
            ProviderUnavailable: ({ reason }) => untold(provider.kind, reason)
          })
        )
      })
  })
})

const untold = (provider: string, reason: string): Refusal =>
  refuse("provider_error", { provider, message: reason }, `The templates could not be taken over: ${reason}.`)

export const layer: Layer.Layer<ConnectionChecks, never, Storage | ChannelProviders | SecretBox | Decider> =
  Layer.effect(ConnectionChecks, make)
