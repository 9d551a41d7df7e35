import { Either, Schema } from "effect"
import { IdentityChannel } from "../../contacts/Contact.js"
import { addressOf, normaliseHandle } from "../../contacts/Handle.js"
import type { Problems } from "../../errors/Refusal.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { oneOf, text, uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { type Lookup, lookup } from "../../ports/Storage.js"

/** The query of `GET /contacts` of the administration. */
export const AdminContactListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  handle: queryFilter(text(255)),
  channel: queryFilter(oneOf(IdentityChannel.literals))
})
export type AdminContactListQuery = typeof AdminContactListQuery.Type

/** The query, with a problem where `handle` or `channel` lacks what it needs: a handle is one of a workspace. */
export const withCompanions = (query: Draft<AdminContactListQuery>): Draft<AdminContactListQuery> => {
  const { channel, handle, workspaceId } = query.value
  const problems: Problems = {
    ...(handle != null && workspaceId === null ? { workspace_id: ["is required with handle"] } : {}),
    ...(channel != null && handle === null ? { handle: ["is required with channel"] } : {})
  }
  return { ...query, problems: joinProblems(query.problems, problems) }
}

/** The addresses that a handle may be, on this channel or on any: none where it is no handle there. */
export const addressLookups = (
  workspaceId: string,
  handle: string,
  channel: IdentityChannel | null
): { readonly [space: string]: Lookup<"addresses"> } =>
  Object.fromEntries(
    (channel === null ? IdentityChannel.literals : [channel]).flatMap((one) => {
      const normalised = normaliseHandle(one, handle)
      if (Either.isLeft(normalised)) return []
      const address = addressOf(one, normalised.right)
      return [[address.space, lookup("addresses", { workspaceId, ...address })] as const]
    })
  )
