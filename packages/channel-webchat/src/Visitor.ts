import { isUuid } from "@parley/core"
import { Either } from "effect"

/** The person who writes in a web chat. */
export interface Visitor {
  /** `visitor:<uuid>`, or `customer:<the site's own id>`, which is the same on each of the customer's devices. */
  readonly handle: string
  /** The name given by the visitor or by the site. */
  readonly name: string | null
}

const anonymous = "visitor:"
const known = "customer:"

/** The handle of an anonymous visitor. */
export const visitorHandle = (id: string): string => `${anonymous}${id}`

/** The handle of a customer of the site. */
export const customerHandle = (customer: string): string => `${known}${customer}`

/** Whether the site's server signed the id in this handle. */
export const isCustomer = (handle: string): boolean => handle.startsWith(known)

/**
 * Whether the text is a valid customer id: it is part of a handle, which is trimmed, has one line and at most 255
 * UTF-16 units.
 */
export const isCustomerId = (text: string): boolean =>
  text !== "" && text.length <= 200 && text === text.trim() && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)

/** The normalised handle of a visitor or customer, or why the text is not one. */
export const parseVisitorHandle = (text: string): Either.Either<string, string> => {
  if (text.startsWith(known) && isCustomerId(text.slice(known.length))) return Either.right(text)
  const id = text.startsWith(anonymous) ? text.slice(anonymous.length) : ""
  return isUuid(id)
    ? Either.right(visitorHandle(id.toLowerCase()))
    : Either.left("must be visitor:<uuid>, or customer: and the site's own id of the customer")
}
