import { Either } from "effect"
import { type Problems, type Refusal, refuse } from "../../errors/Refusal.js"
import type { Connection } from "../../model/Connection.js"
import type { HeldAccount } from "../../model/HeldAccount.js"
import { expect, type Key, type Parts, remove, row, set } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"

/** Kind of the sandbox, the only provider whose accounts are shared (docs/reference/sandbox.md#sandbox-accounts). */
export const sandboxKind = "sandbox"

export type AccountKey = Key<"accounts">

/** The fields of a connection that name its account. */
export type AccountFields = Pick<Connection, "provider" | "channel" | "handle" | "config">

/** An account with the connection that held it last. */
export interface Holder {
  readonly account: HeldAccount
  readonly connection: Connection | undefined
}

/**
 * The names of a connection's account: its handle, and the vendor's id where the provider knows one
 * (docs/reference/channels.md#accounts).
 */
export const accountKeys = (
  provider: ChannelProvider | undefined,
  connection: AccountFields
): ReadonlyArray<AccountKey> => {
  if (connection.provider === sandboxKind) return []
  const vendor = provider?.webhook?.accountOf?.(connection) ?? null
  const key = (space: HeldAccount["space"], name: string): AccountKey => ({
    provider: connection.provider,
    channel: connection.channel,
    space,
    name
  })
  return [key("handle", connection.handle), ...(vendor === null ? [] : [key("vendor", vendor)])]
}

const isSame = (one: AccountKey, other: AccountKey): boolean =>
  one.provider === other.provider &&
  one.channel === other.channel &&
  one.space === other.space &&
  one.name === other.name

/** The keys that are not among the others. */
export const without = (
  keys: ReadonlyArray<AccountKey>,
  others: ReadonlyArray<AccountKey>
): ReadonlyArray<AccountKey> => keys.filter((key) => !others.some((other) => isSame(key, other)))

const holderOf = (holders: ReadonlyArray<Holder>, key: AccountKey): Holder | undefined =>
  holders.find(({ account }) => isSame(account, key))

/** The holders of these accounts other than `self`, unless they are disconnected. */
export const otherHolders = (
  holders: ReadonlyArray<Holder>,
  keys: ReadonlyArray<AccountKey>,
  self: string | null
): ReadonlyArray<Holder> =>
  holders.filter(
    ({ account, connection }) =>
      connection !== undefined &&
      connection.id !== self &&
      connection.status !== "disconnected" &&
      keys.some((key) => isSame(account, key))
  )

/** Problems of an account that the workspace has already connected. They name the other connection. */
export const holderProblems = (others: ReadonlyArray<Holder>, workspaceId: string | undefined): Problems =>
  Object.fromEntries(
    others.flatMap(({ account, connection }) =>
      account.workspaceId === workspaceId && connection !== undefined
        ? [
            [
              account.space === "handle" ? "handle" : "config",
              [`is already connected in this workspace, by ${connection.name} (${connection.id})`]
            ]
          ]
        : []
    )
  )

/**
 * Fails with `connection_owned_elsewhere` if another workspace holds an account. The refusal does not name the
 * connection, which is another tenant's.
 */
export const ownedElsewhere = (others: ReadonlyArray<Holder>, workspaceId: string): Either.Either<void, Refusal> =>
  others.some(({ account }) => account.workspaceId !== workspaceId)
    ? Either.left(refuse("connection_owned_elsewhere"))
    : Either.void

/** Takes these accounts, none of which has another holder. The commit is a `Conflict` if one got another holder. */
export const takeAccounts = (
  { id: connectionId, workspaceId }: Pick<Connection, "id" | "workspaceId">,
  keys: ReadonlyArray<AccountKey>,
  holders: ReadonlyArray<Holder>
): ReadonlyArray<Parts> =>
  keys.map((key): Parts => {
    const holder = holderOf(holders, key)
    if (holder === undefined) return { claims: [row("accounts", { ...key, workspaceId, connectionId })] }
    const last = holder.account.connectionId
    const held = expect("accounts", key, { connectionId: last })
    if (last === connectionId) return { expects: [held] }
    return {
      // A holder that is activated at the same time keeps the account, or loses it before it is active.
      expects: [held, expect("connections", { id: last }, { status: "disconnected" })],
      sets: [set("accounts", key, { workspaceId, connectionId })]
    }
  })

/** Releases those of the accounts that the connection holds. */
export const releaseAccounts = (
  connectionId: string,
  keys: ReadonlyArray<AccountKey>,
  holders: ReadonlyArray<Holder>
): ReadonlyArray<Parts> =>
  keys
    .filter((key) => holderOf(holders, key)?.account.connectionId === connectionId)
    .map((key) => ({ expects: [expect("accounts", key, { connectionId })], deletes: [remove("accounts", key)] }))
