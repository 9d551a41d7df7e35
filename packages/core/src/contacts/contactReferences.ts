import { Effect, Either } from "effect"
import { type Lookup, lookup, type ReadError, type Storage } from "../ports/Storage.js"
import type { Address, CustomField, Tag } from "./Contact.js"
import type { ContactInput } from "./ContactInput.js"
import { givenHandles } from "./contactHandles.js"
import { folded } from "./folded.js"
import { addressOf } from "./Handle.js"

/** What the fields of an input refer to in their workspace. */
export interface ContactReferences {
  /** Those of the given handles that belong to somebody. */
  readonly addresses: ReadonlyArray<Address>
  /** Those of the given tags that exist. */
  readonly tags: ReadonlyArray<Tag>
  /** All there are, where the input gives any. */
  readonly customFields: ReadonlyArray<CustomField>
}

/** Reads what an input refers to, as far as it could be read. */
export const loadContactReferences = (
  storage: Pick<Storage, "read">,
  workspaceId: string,
  value: Partial<Pick<ContactInput, "identities" | "email" | "phone" | "tags" | "customFields">>
): Effect.Effect<ContactReferences, ReadError> => {
  const addresses = givenHandles(value).flatMap(({ channel, handle }) =>
    Either.isLeft(handle) ? [] : [lookup("addresses", { workspaceId, ...addressOf(channel, handle.right) })]
  )
  const tags = (value.tags ?? []).map((name) => lookup("tags", { workspaceId, folded: folded(name) }))
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
