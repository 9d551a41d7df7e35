import { Either } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { type Problems, type Refusal, refuse } from "../../errors/Refusal.js"

/** The provider that reaches nobody (decisions.md §16), so that nobody owns an account with it. */
export const sandbox = "sandbox"

/** Of the connections to one account at a provider, those that hold it: others than `self` that are not disconnected. */
export const holders = (same: ReadonlyArray<Connection>, self: string | null): ReadonlyArray<Connection> =>
  same.filter(({ id, provider, status }) => provider !== sandbox && id !== self && status !== "disconnected")

/** What is wrong with a handle that the workspace has connected already. */
export const holderProblems = (holders: ReadonlyArray<Connection>, workspaceId: string | undefined): Problems =>
  holders.some((holder) => holder.workspaceId === workspaceId)
    ? { handle: ["is already connected in this workspace"] }
    : {}

/** 409 `connection_owned_elsewhere` where another workspace holds the account. */
export const ownedElsewhere = (
  holders: ReadonlyArray<Connection>,
  workspaceId: string
): Either.Either<void, Refusal> =>
  holders.some((holder) => holder.workspaceId !== workspaceId)
    ? Either.left(refuse("connection_owned_elsewhere"))
    : Either.void
