import { Schema } from "effect"
import type { Instant } from "../Instant.js"

export const LifecycleStage = Schema.Literal("lead", "prospect", "customer", "churned")
export type LifecycleStage = typeof LifecycleStage.Type

/** The channels of an identity (spec, Contact): every channel but web chat, and `phone`. */
export const IdentityChannel = Schema.Literal("whatsapp", "telegram", "instagram", "facebook", "email", "phone")
export type IdentityChannel = typeof IdentityChannel.Type

/** A handle of a contact on a channel, normalised. */
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
  /** In the order in which they were given. Uniqueness is held by `addresses`. */
  readonly identities: ReadonlyArray<Identity>
  /** In the order in which they were given, in their workspace's spelling. */
  readonly tags: ReadonlyArray<string>
  readonly customFields: { readonly [key: string]: string | number | boolean | null }
  /** What a web chat visitor called themselves, for {@link contactName}. */
  readonly visitorName: string | null
  /** The folded name, by which lists are ordered. */
  readonly nameKey: string
  /** The folded text that `search` looks in. */
  readonly searchKey: string
  readonly lastActivityAt: Instant
  readonly createdAt: Instant
  readonly version: number
}

/**
 * The unique claim of a contact on a handle: its key is (workspace, space, handle). WhatsApp and phone numbers share the
 * space `phone`, since they are one address (decisions.md §6).
 */
export interface Address {
  readonly workspaceId: string
  readonly space: AddressSpace
  readonly handle: string
  readonly contactId: string
}
export type AddressSpace = "phone" | "email" | "whatsapp" | "telegram" | "instagram" | "facebook" | "webchat"

/** The first spelling of a tag in its workspace; its key is (workspace, folded). */
export interface Tag {
  readonly workspaceId: string
  readonly folded: string
  readonly name: string
}

/** A field that the workspace added to its contacts; its key is (workspace, key). */
export interface CustomField {
  readonly workspaceId: string
  readonly key: string
  readonly type: "text" | "number" | "boolean" | "date"
  readonly label: string
}
