import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { statusAction } from "../../kernel/statusAction.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { hastenJobs, recurringJobs } from "../../resources/channels/recurringJobs.js"
import {
  accountKeys,
  type Holder,
  holderProblems,
  otherHolders,
  ownedElsewhere,
  releaseAccounts,
  takeAccounts,
  without
} from "./accounts.js"
import type { ConnectionPatch } from "./ConnectionInput.js"
import { type ReadSettings, readSettings } from "./readSettings.js"

/** The rows that {@link updateConnection} decides on. */
export interface ConnectionWorld {
  readonly connection: Connection | undefined
  /** Undefined if the host no longer has the provider; the settings cannot be changed then. */
  readonly provider: ChannelProvider | undefined
  /** The holders of its accounts before and after the change, in any workspace. */
  readonly holders: ReadonlyArray<Holder>
  /** Its recurring jobs. */
  readonly jobs: ReadonlyArray<Job>
}

/**
 * `PATCH /connections/{id}`. Reactivating a disconnected connection, and settings that name another account, fail like
 * `createConnection.ts` if another connection has the account. New settings are tried at once by its recurring jobs.
 */
export const updateConnection = (
  world: ConnectionWorld,
  command: { readonly decoded: PartialDecode<ConnectionPatch>; readonly seal: SecretBox["seal"] },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Connection>, Refusal> =>
  Either.gen(function* () {
    const connection = yield* orNotFound(world.connection)
    const { id, workspaceId, version } = connection
    const { value } = command.decoded
    const settings = world.provider === undefined ? unreadable(value) : readSettings(world.provider, value)
    const before = accountKeys(world.provider, connection)
    const after = accountKeys(world.provider, { ...connection, config: settings.config ?? connection.config })
    // A connection whose account did not change keeps working, even without holding it: it may be older than accounts.
    const taken =
      (value.status ?? connection.status) === "disconnected"
        ? []
        : connection.status === "disconnected"
          ? after
          : without(after, before)
    const others = otherHolders(world.holders, taken, id)
    const patch = yield* complete(
      command.decoded,
      changeProblems({
        workspace_id: [workspaceId, value.workspaceId],
        channel: [connection.channel, value.channel],
        provider: [connection.provider, value.provider],
        handle: [connection.handle, value.handle],
        is_test: [connection.isTest, value.isTest]
      }),
      settings.problems,
      holderProblems(others, workspaceId)
    )
    yield* ownedElsewhere(others, workspaceId)
    const values: Partial<Connection> = {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.status === undefined ? {} : { status: patch.status }),
      ...(settings.config === undefined ? {} : { config: settings.config }),
      ...(settings.credentials === undefined
        ? {}
        : { credentials: settings.credentials && command.seal(JSON.stringify(settings.credentials)) })
    }
    if (Object.keys(values).length === 0) return { changes: null, result: connection }
    const changed = { ...connection, ...values, version: version + 1 }
    const entry = { workspaceId, applicationId: null, subjectId: id }
    const actions = [
      ...statusAction("connection", connection.status, values.status),
      ...("credentials" in values ? ["connection.credentials_changed"] : [])
    ]
    return {
      changes: changes(
        workspaceId,
        changed.status === "active" ? recurringJobs(changed, world.provider, now) : {},
        "config" in values || "credentials" in values ? hastenJobs(world.jobs, now) : {},
        ...takeAccounts(connection, taken, world.holders),
        ...releaseAccounts(id, without(before, after), world.holders),
        {
          expects: [expect("connections", { id }, { version })],
          sets: [set("connections", { id }, values)],
          inserts: actions.map((action) => auditRow({ ...entry, action }, now, ids))
        }
      ),
      result: changed
    }
  })

/** Problems of settings that cannot be validated because their provider is not installed. */
const unreadable = (given: PartialDecode<ConnectionPatch>["value"]): ReadSettings => ({
  problems: Object.fromEntries(
    (["config", "credentials"] as const)
      .filter((field) => given[field] !== undefined)
      .map((field) => [field, ["cannot be changed while the provider is not installed"]])
  )
})
