import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { recurringJobs } from "../../resources/channels/recurringJobs.js"
import type { ConnectionInput } from "./ConnectionInput.js"
import { holderProblems, holders, ownedElsewhere } from "./holders.js"
import type { Account } from "./readAccount.js"

/** The rows that {@link createConnection} decides on. */
export interface NewConnectionWorld {
  readonly workspace: Workspace | undefined
  /** Connections with its provider, channel and handle, in any workspace. */
  readonly same: ReadonlyArray<Connection>
}

/**
 * `POST /connections`: creates an active connection. Fails with `validation_failed` at `handle` if this workspace
 * already has the account, and with `connection_owned_elsewhere` if another workspace has it.
 */
export const createConnection = (
  world: NewConnectionWorld,
  command: {
    readonly decoded: PartialDecode<ConnectionInput>
    readonly account: Account
    readonly seal: SecretBox["seal"]
  },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Connection>, Refusal> =>
  Either.gen(function* () {
    const { decoded, account, seal } = command
    const others = holders(world.same, null)
    const input = yield* complete(
      decoded,
      workspaceProblems(decoded.value.workspaceId, world.workspace),
      account.problems,
      holderProblems(others, decoded.value.workspaceId)
    )
    const { workspaceId } = input
    yield* ownedElsewhere(others, workspaceId)
    const id = ids.next(now)
    const connection: Connection = {
      ...input,
      id,
      handle: account.handle ?? input.handle,
      config: account.config ?? {},
      credentials: account.credentials == null ? null : seal(JSON.stringify(account.credentials)),
      status: "active",
      heldUntil: 0,
      heldMs: 0,
      createdAt: now,
      version: 1
    }
    const entry = { workspaceId, applicationId: null, action: "connection.created", subjectId: id }
    return {
      changes: changes(workspaceId, recurringJobs(connection, account.provider, now), {
        expects: [expect("workspaces", { id: workspaceId })],
        inserts: [row("connections", connection), auditRow(entry, now, ids)]
      }),
      result: connection
    }
  })
