import { ParleyError } from "@parley/client"
import type { AdminClient } from "@parley/client/admin"
import type { DeclaredPart, NameScope } from "@parley/core"

/** The services of `setup`, as promises. */
export interface Ledger {
  readonly admin: AdminClient
  /** The admin calls, of which a creation takes the name of a part as its idempotency key. */
  readonly naming: (scope: NameScope) => AdminClient
  readonly parts: (scope: NameScope) => Promise<ReadonlyMap<string, DeclaredPart>>
  readonly setPart: (
    name: { readonly scope: NameScope; readonly workspaceId: string; readonly name: string },
    decide: (present: DeclaredPart | null) => DeclaredPart | null
  ) => Promise<DeclaredPart | null>
  readonly connectionDifferences: (id: string, input: Body) => Promise<ReadonlyArray<string>>
  readonly isEndpointSecret: (id: string, secret: string) => Promise<boolean>
  readonly workflowDifferences: (id: string, input: Body) => Promise<ReadonlyArray<string>>
}

/** A body or resource of the admin API. */
export type Body = { readonly [field: string]: unknown }

/** Null if the call failed with `not_found`. */
export const orNull = <A>(call: Promise<A>): Promise<A | null> =>
  call.catch((error: unknown) => {
    if (error instanceof ParleyError && error.code === "not_found") return null
    throw error
  })
