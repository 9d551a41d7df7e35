import type { Contact } from "../../model/Contact.js"

/**
 * The derived name: first and last name; else company, email, phone, the first handle, the name that a web chat visitor
 * gave, or `Visitor` (docs/reference/contacts.md#name).
 */
export const contactName = (
  contact: Pick<Contact, "firstName" | "lastName" | "company" | "email" | "phone" | "identities" | "visitorName">
): string => {
  const full = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ")
  return (
    (full || null) ??
    contact.company ??
    contact.email ??
    contact.phone ??
    contact.identities[0]?.handle ??
    contact.visitorName ??
    "Visitor"
  )
}
