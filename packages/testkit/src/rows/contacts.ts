import type { Address, Contact, ContactFilter, CustomField, Tag } from "@parley/core"
import { someContactId, someTime, someWorkspaceId } from "./some.js"

export const aContact = (given: Partial<Contact> = {}): Contact => ({
  id: someContactId,
  workspaceId: someWorkspaceId,
  firstName: "Ada",
  lastName: "Byron",
  company: null,
  jobTitle: null,
  email: null,
  phone: "+4915112345678",
  country: null,
  city: null,
  language: null,
  timezone: null,
  lifecycleStage: "lead",
  optedOut: false,
  marketingOptedOut: false,
  optedOutAt: null,
  marketingOptedOutAt: null,
  identities: [{ channel: "whatsapp", handle: "+4915112345678", displayName: null }],
  tags: [],
  customFields: {},
  visitorName: null,
  nameKey: "ada byron",
  searchKey: "ada byron +4915112345678",
  lastActivityAt: someTime,
  createdAt: someTime,
  version: 1,
  ...given
})

export const anAddress = (given: Partial<Address> = {}): Address => ({
  workspaceId: someWorkspaceId,
  space: "phone",
  handle: "+4915112345678",
  contactId: someContactId,
  ...given
})

export const aTag = (given: Partial<Tag> = {}): Tag => ({
  workspaceId: someWorkspaceId,
  folded: "vip",
  name: "VIP",
  ...given
})

export const aCustomField = (given: Partial<CustomField> = {}): CustomField => ({
  workspaceId: someWorkspaceId,
  key: "plan",
  type: "text",
  label: "Plan",
  ...given
})

/** The filter of a contact list that all contacts of the workspace match, but for the given fields. */
export const everyContact = (workspaceId: string, filter: Partial<ContactFilter> = {}): ContactFilter => ({
  workspaceId,
  search: null,
  searchAlso: null,
  lifecycleStage: null,
  tag: null,
  channel: null,
  createdAfter: null,
  ...filter
})
