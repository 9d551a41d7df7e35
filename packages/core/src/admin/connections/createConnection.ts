import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Connection } from "../../channels/Connection.js"
import { standingJobs } from "../../channels/standingJobs.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { audited } from "../audited.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { ConnectionInput } from "./ConnectionInput.js"
import { holderProblems, holders, ownedElsewhere } from "./holders.js"
import type { Account } from "./readAccount.js"

/** All that a new connection may look at. */
export interface NewConnectionWorld {
  readonly workspace: Workspace | undefined
  /** Connections with its provider, channel and handle, in any workspace. */
  readonly same: ReadonlyArray<Connection>
}

/**
 * `POST /connections`: an active connection. An account that this workspace has connected already is 422 at `handle`; one
 * that another has, 409 `connection_owned_elsewhere`.
 */
export const createConnection = (
  world: NewConnectionWorld,
  command: { readonly draft: Draft<ConnectionInput>; readonly account: Account; readonly seal: SecretBox["seal"] },
  now: Instant,
  ids: Ids
): Either.Either<Decision<Connection>, Refusal> =>
  Either.gen(function* () {
    const { draft, account, seal } = command
    const others = holders(world.same, null)
    const input = yield* complete(
      draft,
      workspaceProblems(draft.value.workspaceId, world.workspace),
      account.problems,
      holderProblems(others, draft.value.workspaceId)
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
      changes: changes(workspaceId, standingJobs(connection, account.provider, now), {
        expects: [expect("workspaces", { id: workspaceId })],
        inserts: [row("connections", connection), audited(entry, now, ids)]
      }),
      result: connection
    }
  })
