import { Effect, Either } from "effect"
import { searchKey } from "../../kernel/text/searchKey.js"
import type { Address, CustomField, Tag } from "../../model/Contact.js"
import { type Lookup, lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import type { ContactInput } from "./ContactInput.js"
import { givenHandles } from "./contactHandles.js"
import { addressOf } from "./Handle.js"

/** The rows of the workspace that the fields of an input refer to. */
export interface ContactReferences {
  /** Claims on the given handles. */
  readonly addresses: ReadonlyArray<Address>
  /** Existing tags among the given ones. */
  readonly tags: ReadonlyArray<Tag>
  /** All custom fields of the workspace, if the input contains any. */
  readonly customFields: ReadonlyArray<CustomField>
}

/** Loads the rows that the readable fields of an input refer to. */
export const loadContactReferences = (
  storage: Pick<Storage, "read">,
  workspaceId: string,
  value: Partial<Pick<ContactInput, "identities" | "email" | "phone" | "tags" | "customFields">>
): Effect.Effect<ContactReferences, ReadError> => {
  const addresses = givenHandles(value).flatMap(({ channel, handle }) =>
    Either.isLeft(handle) ? [] : [lookup("addresses", { workspaceId, ...addressOf(channel, handle.right) })]
  )
  const tags = (value.tags ?? []).map((name) => lookup("tags", { workspaceId, folded: searchKey(name) }))
  return Effect.map(
    Effect.all(
      [
        storage.read({ customFields: value.customFields == null ? null : lookup("customFields", { workspaceId }) }),
        storage.read(numbered(addresses)),
        storage.read(numbered(tags))
      ],
      { concurrency: "unbounded" }
    ),
    ([{ customFields }, addresses, tags]) => ({
      customFields,
      addresses: Object.values(addresses).flat(),
      tags: Object.values(tags).flat()
    })
  )
}

const numbered = <T extends "addresses" | "tags">(
  lookups: ReadonlyArray<Lookup<T>>
): { readonly [index: string]: Lookup<T> } => Object.fromEntries(lookups.map((one, index) => [String(index), one]))
