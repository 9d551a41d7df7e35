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
import { changes, expect, set } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { recurringJobs } from "../../resources/channels/recurringJobs.js"
import type { ConnectionPatch } from "./ConnectionInput.js"
import { holderProblems, holders, ownedElsewhere } from "./holders.js"
import { type ReadSettings, readSettings } from "./readSettings.js"

/** The rows that {@link updateConnection} decides on. */
export interface ConnectionWorld {
  readonly connection: Connection | undefined
  /** Undefined if the host no longer has the provider; the settings cannot be changed then. */
  readonly provider: ChannelProvider | undefined
  /** Connections with its provider, channel and handle, in any workspace. */
  readonly same: ReadonlyArray<Connection>
}

/**
 * `PATCH /connections/{id}`. Reactivating a disconnected connection fails like {@link createConnection} if another
 * connection has the account by now.
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
    const returns =
      connection.status === "disconnected" && value.status !== undefined && value.status !== "disconnected"
    const others = returns ? holders(world.same, id) : []
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
      changes: changes(workspaceId, changed.status === "active" ? recurringJobs(changed, world.provider, now) : {}, {
        expects: [expect("connections", { id }, { version })],
        sets: [set("connections", { id }, values)],
        inserts: actions.map((action) => auditRow({ ...entry, action }, now, ids))
      }),
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
