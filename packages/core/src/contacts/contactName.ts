import type { Contact } from "./Contact.js"

/**
 * The derived full name: first and last name; without them company, then email, then phone, then the first handle; for a
 * web chat visitor what they called themselves, else `Visitor` (decisions.md §6).
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
