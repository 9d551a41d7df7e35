import { Either } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { standingJobs } from "../../channels/standingJobs.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import { statusAction } from "../statusAction.js"
import type { ConnectionPatch } from "./ConnectionInput.js"
import { holderProblems, holders, ownedElsewhere } from "./holders.js"
import { type ReadSettings, readSettings } from "./readSettings.js"

/** All that a change of a connection may look at. */
export interface ConnectionWorld {
  readonly connection: Connection | undefined
  /** Undefined where the host does not have it any more: then its settings cannot be changed. */
  readonly provider: ChannelProvider | undefined
  /** Connections with its provider, channel and handle, in any workspace. */
  readonly same: ReadonlyArray<Connection>
}

/**
 * `PATCH /connections/{id}`. To be connected again after it was disconnected, its account must still be free: it is
 * refused as when it is created.
 */
export const updateConnection = (
  world: ConnectionWorld,
  command: { readonly draft: Draft<ConnectionPatch>; readonly seal: SecretBox["seal"] },
  now: Instant,
  ids: Ids
): Either.Either<Decision<Connection>, Refusal> =>
  Either.gen(function* () {
    const connection = yield* found(world.connection)
    const { id, workspaceId, version } = connection
    const { value } = command.draft
    const settings = world.provider === undefined ? unreadable(value) : readSettings(world.provider, value)
    const returns =
      connection.status === "disconnected" && value.status !== undefined && value.status !== "disconnected"
    const others = returns ? holders(world.same, id) : []
    const patch = yield* complete(
      command.draft,
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
      changes: changes(workspaceId, changed.status === "active" ? standingJobs(changed, world.provider, now) : {}, {
        expects: [expect("connections", { id }, { version })],
        sets: [set("connections", { id }, values)],
        inserts: actions.map((action) => audited({ ...entry, action }, now, ids))
      }),
      result: changed
    }
  })

/** Without their provider, settings cannot be checked. */
const unreadable = (given: Draft<ConnectionPatch>["value"]): ReadSettings => ({
  problems: Object.fromEntries(
    (["config", "credentials"] as const)
      .filter((field) => given[field] !== undefined)
      .map((field) => [field, ["cannot be changed while the provider is not installed"]])
  )
})
