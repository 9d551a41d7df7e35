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
import {
  type AccountKey,
  accountKeys,
  type Holder,
  holderProblems,
  otherHolders,
  ownedElsewhere,
  takeAccounts
} from "./accounts.js"
import type { ConnectionInput } from "./ConnectionInput.js"
import type { Account } from "./readAccount.js"

/** The rows that {@link createConnection} decides on. */
export interface NewConnectionWorld {
  readonly workspace: Workspace | undefined
  /** The holders of its accounts, in any workspace. */
  readonly holders: ReadonlyArray<Holder>
}

/** The accounts that an input names, as far as it is valid. */
export const requestedKeys = (
  { value: { channel, provider } }: PartialDecode<ConnectionInput>,
  account: Account
): ReadonlyArray<AccountKey> =>
  provider === undefined || channel === undefined || account.handle === undefined || account.config === undefined
    ? []
    : accountKeys(account.provider, { provider, channel, handle: account.handle, config: account.config })

/**
 * `POST /connections`: creates an active connection. Fails with `validation_failed` at `handle` or `config` if this
 * workspace already has the account, and with `connection_owned_elsewhere` if another workspace has it
 * (docs/reference/channels.md#accounts).
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
    const keys = requestedKeys(decoded, account)
    const others = otherHolders(world.holders, keys, null)
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
      changes: changes(
        workspaceId,
        recurringJobs(connection, account.provider, now),
        ...takeAccounts(connection, keys, world.holders),
        {
          expects: [expect("workspaces", { id: workspaceId })],
          inserts: [row("connections", connection), auditRow(entry, now, ids)]
        }
      ),
      result: connection
    }
  })
