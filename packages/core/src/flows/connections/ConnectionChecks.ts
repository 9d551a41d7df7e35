import { Context, Effect, Either } from "effect"
import { invalid, type Refusal, refuse } from "../../errors/Refusal.js"
import { auditRow } from "../../kernel/auditRow.js"
import { Decider } from "../../kernel/Decider.js"
import { commitAtOnce } from "../../kernel/deferral.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Connection } from "../../model/Connection.js"
import { changes, expect } from "../../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, CheckOutcome } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { callProviderSafely } from "../../resources/channels/callProviderSafely.js"
import { openCredentials } from "../../resources/channels/openCredentials.js"
import { recurringJobs } from "../../resources/channels/recurringJobs.js"
import type { TemplateSyncResult } from "../../resources/templates/syncTemplates.js"
import { fetchTemplates } from "../fetches/fetchTemplates.js"
import { Inbound } from "../inbound/Inbound.js"
import type { HistoryImportInput, HistoryImportResource } from "./HistoryImportResource.js"

/** Vendor calls for which an administrator waits. Each fails with `not_found` for an unknown id. */
export interface ConnectionChecks {
  /** Checks the settings without sending a message. Fails with `validation_failed` if the provider has no check. */
  readonly check: (id: string) => Effect.Effect<CheckOutcome, Refusal | ReadError>
  /**
   * Registers the webhook URL with the vendor. Returns a human-readable result. Fails with `channel_setup_failed` if
   * the vendor refuses, and with `validation_failed` if the provider has no set-up.
   */
  readonly setUp: (id: string, webhookUrl: string) => Effect.Effect<string, Refusal | CommitError>
  /**
   * Fetches the account's templates now, and ensures the recurring jobs of an active connection. Fails with
   * `provider_error` if the vendor cannot be read, and with `validation_failed` if the provider lists no templates.
   */
  readonly syncTemplates: (id: string) => Effect.Effect<TemplateSyncResult, Refusal | CommitError>
  /**
   * Imports the next part of what was written on the account before it was connected, or asks the vendor to send it
   * (docs/reference/content.md#imported-messages). Repeatable. Fails with `provider_error` if the vendor refuses or
   * cannot be read, and with `validation_failed` if the provider offers no history.
   */
  readonly importHistory: (
    id: string,
    decoded: PartialDecode<HistoryImportInput>
  ) => Effect.Effect<HistoryImportResource, Refusal | CommitError>
}
export const ConnectionChecks = Context.GenericTag<ConnectionChecks>("@parley/core/ConnectionChecks")

type VendorCall = (connection: Connection, credentials: unknown) => Effect.Effect<CheckOutcome>

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { byKind } = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const decider = yield* Decider
  const inbound = yield* Inbound
  const { publicUrl } = yield* EngineSettings
  const { decideAndCommit } = decider

  const failing = (problem: string) => Effect.succeed(CheckOutcome.Failing({ problem }))

  const callVendor = (
    name: "check" | "setUp",
    connection: Connection,
    call: VendorCall | undefined,
    message: string
  ): Effect.Effect<CheckOutcome, Refusal> =>
    call === undefined
      ? invalid({ provider: [message] })
      : openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => callProviderSafely(name, () => call(connection, credentials))),
          Effect.catchTags({
            SecretUnreadable: ({ reason }) =>
              failing(`Its credentials cannot be opened: ${reason}. Giving them again repairs it too.`),
            ProviderUnavailable: ({ reason }) => failing(`The vendor gave no result: ${reason}.`)
          })
        )

  const audit = ({ id, workspaceId }: Connection, action: string) =>
    decideAndCommit(Effect.void, (_, now, ids) =>
      Either.right({
        changes: changes(workspaceId, {
          expects: [expect("connections", { id })],
          inserts: [auditRow({ workspaceId, applicationId: null, action, subjectId: id }, now, ids)]
        }),
        result: undefined
      })
    )

  const providerOf = ({ provider }: Connection): ChannelProvider | undefined => byKind.get(provider)

  return ConnectionChecks.of({
    check: (id) =>
      Effect.gen(function* () {
        const connection = yield* orNotFound(yield* readById(storage, "connections", id))
        const provider = providerOf(connection)
        const check = provider?.check
        return yield* callVendor(
          "check",
          connection,
          check && ((connection, credentials) => check.call(provider, connection, credentials, publicUrl)),
          "must be one that this host has and that can check"
        )
      }),
    setUp: (id, webhookUrl) =>
      Effect.gen(function* () {
        const connection = yield* orNotFound(yield* readById(storage, "connections", id))
        const provider = providerOf(connection)
        const setUp = provider?.setUp
        const outcome = yield* callVendor(
          "setUp",
          connection,
          setUp && ((connection, credentials) => setUp.call(provider, connection, credentials, webhookUrl)),
          "has no setup: its vendor has no API to register a webhook URL. Enter the URL at the vendor, if it asks for one"
        )
        if (outcome._tag === "Failing") {
          return yield* refuse(
            "channel_setup_failed",
            { provider: connection.provider, problem: outcome.problem },
            `The webhook could not be set up: ${outcome.problem}`
          )
        }
        yield* audit(connection, "connection.set_up")
        return outcome.detail
      }),
    syncTemplates: (id) =>
      Effect.gen(function* () {
        const connection = yield* orNotFound(yield* readById(storage, "connections", id))
        const provider = providerOf(connection)
        if (provider?.listTemplates === undefined) {
          return yield* invalid({ provider: ["must be one that this host has and whose vendor keeps templates"] })
        }
        // The connection may be older than its provider's support for templates.
        yield* decideAndCommit(readById(storage, "connections", id), (present, now) =>
          Either.right({
            changes:
              present?.status === "active"
                ? changes(present.workspaceId, recurringJobs(present, provider, now), {
                    expects: [expect("connections", { id }, { status: "active" })]
                  })
                : null,
            result: undefined
          })
        )
        return yield* openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => fetchTemplates(storage, decider, { connection, provider, credentials })),
          Effect.catchTags({
            SecretUnreadable: ({ reason }) => withoutAnswer(provider.kind, "templates", reason),
            ProviderUnavailable: ({ reason }) => withoutAnswer(provider.kind, "templates", reason)
          })
        )
      }).pipe(commitAtOnce),
    importHistory: (id, decoded) =>
      Effect.gen(function* () {
        const { cursor } = yield* complete(decoded)
        const connection = yield* orNotFound(yield* readById(storage, "connections", id))
        const provider = providerOf(connection)
        const { history } = provider ?? {}
        if (provider === undefined || history === undefined) {
          return yield* invalid({ provider: ["must be one that this host has and whose vendor offers its history"] })
        }
        const answer = yield* openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) =>
            callProviderSafely("history", () => history.call(provider, connection, credentials, cursor ?? null))
          ),
          Effect.catchTags({
            SecretUnreadable: ({ reason }) => withoutAnswer(provider.kind, "history", reason),
            ProviderUnavailable: ({ reason }) => withoutAnswer(provider.kind, "history", reason)
          })
        )
        if (answer._tag === "Refused") {
          const { problem } = answer
          return yield* refuse("provider_error", { provider: provider.kind, message: problem }, problem)
        }
        if (cursor == null) yield* audit(connection, "connection.history_imported")
        return answer._tag === "Requested"
          ? { imported: 0, known: 0, cursor: null, detail: answer.detail }
          : { ...(yield* inbound.importHistory(connection, answer.conversations)), cursor: answer.cursor, detail: null }
      }).pipe(commitAtOnce)
  })
})

const withoutAnswer = (provider: string, what: string, reason: string): Refusal =>
  refuse("provider_error", { provider, message: reason }, `The ${what} could not be fetched: ${reason}.`)
