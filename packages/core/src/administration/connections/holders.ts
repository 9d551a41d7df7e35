import { Either } from "effect"
import { type Problems, type Refusal, refuse } from "../../errors/Refusal.js"
import type { Connection } from "../../model/Connection.js"

/** Kind of the sandbox provider. Its accounts need not be unique (docs/reference/sandbox.md#sandbox-accounts). */
export const sandbox = "sandbox"

/** The connections in `same` that hold the account: not disconnected, not of the sandbox, and not `self`. */
export const holders = (same: ReadonlyArray<Connection>, self: string | null): ReadonlyArray<Connection> =>
  same.filter(({ id, provider, status }) => provider !== sandbox && id !== self && status !== "disconnected")

/** Problem of a handle that the workspace has already connected. */
export const holderProblems = (holders: ReadonlyArray<Connection>, workspaceId: string | undefined): Problems =>
  holders.some((holder) => holder.workspaceId === workspaceId)
    ? { handle: ["is already connected in this workspace"] }
    : {}

/** Fails with `connection_owned_elsewhere` if another workspace holds the account. */
export const ownedElsewhere = (
  holders: ReadonlyArray<Connection>,
  workspaceId: string
): Either.Either<void, Refusal> =>
  holders.some((holder) => holder.workspaceId !== workspaceId)
    ? Either.left(refuse("connection_owned_elsewhere"))
    : Either.void
