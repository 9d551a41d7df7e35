import { Either, Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { oneOf, text } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { field } from "../../kernel/input/wire.js"
import { IdentityChannel } from "../../model/Contact.js"
import { type Lookup, lookup } from "../../ports/Storage.js"
import { addressOf, normaliseHandle } from "./Handle.js"

/** The query of `GET /contacts` of the administration. */
export const AdminContactListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  handle: field(queryFilter(text(255)), {
    description: "Only the contact with this handle; requires `workspace_id`."
  }),
  channel: field(queryFilter(oneOf(IdentityChannel.literals)), { description: "Only those on this channel." })
})
export type AdminContactListQuery = typeof AdminContactListQuery.Type

/** The query, with a problem where `handle` or `channel` lacks what it needs: a handle is one of a workspace. */
export const requireHandleFields = (
  query: PartialDecode<AdminContactListQuery>
): PartialDecode<AdminContactListQuery> => {
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
