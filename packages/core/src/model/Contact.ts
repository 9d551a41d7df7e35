import { Schema } from "effect"
import type { Instant } from "./Instant.js"

export const LifecycleStage = Schema.Literal("lead", "prospect", "customer", "churned")
export type LifecycleStage = typeof LifecycleStage.Type

/** The channels of identities: all channels except web chat, plus `phone` (docs/reference/contacts.md#identities). */
export const IdentityChannel = Schema.Literal("whatsapp", "telegram", "instagram", "facebook", "email", "phone")
export type IdentityChannel = typeof IdentityChannel.Type

/** A normalised handle of a contact on a channel. */
export interface Identity {
  readonly channel: IdentityChannel
  readonly handle: string
  readonly displayName: string | null
}

/** A customer of the workspace. */
export interface Contact {
  readonly id: string
  readonly workspaceId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly company: string | null
  readonly jobTitle: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly country: string | null
  readonly city: string | null
  readonly language: string | null
  readonly timezone: string | null
  readonly lifecycleStage: LifecycleStage
  readonly optedOut: boolean
  readonly marketingOptedOut: boolean
  /** When {@link optedOut} was said last, by the vendor's clock if it gives a time; null: never. */
  readonly optedOutAt: Instant | null
  /** When {@link marketingOptedOut} was said last. */
  readonly marketingOptedOutAt: Instant | null
  /** In insertion order. The table `addresses` enforces uniqueness. */
  readonly identities: ReadonlyArray<Identity>
  /** In insertion order, in the workspace's spelling. */
  readonly tags: ReadonlyArray<string>
  readonly customFields: { readonly [key: string]: string | number | boolean | null }
  /** The name that a web chat visitor entered, for `contactName.ts`. */
  readonly visitorName: string | null
  /** Search key of the name; contact lists are ordered by it (docs/reference/contacts.md#search-key). */
  readonly nameKey: string
  /** Search key of all searchable fields, for `search`. */
  readonly searchKey: string
  readonly lastActivityAt: Instant
  readonly createdAt: Instant
  readonly version: number
}

/**
 * Unique assignment of a handle to a contact; primary key (workspace, space, handle). The space is the kind of the
 * handle; WhatsApp and phone numbers share the space `phone`, because they are one address
 * (docs/reference/contacts.md#phone-and-whatsapp-numbers).
 */
export interface Address {
  readonly workspaceId: string
  readonly space: string
  readonly handle: string
  readonly contactId: string
}

/** The first spelling of a tag in its workspace, which all contacts use; primary key (workspace, folded). */
export interface Tag {
  readonly workspaceId: string
  readonly folded: string
  readonly name: string
}

/** A custom field of the workspace's contacts; primary key (workspace, key). */
export interface CustomField {
  readonly workspaceId: string
  readonly key: string
  readonly type: "text" | "number" | "boolean" | "date"
  readonly label: string
}
