import { isUuid } from "@parley/core"
import { Either } from "effect"

/** Who writes in a web chat. */
export interface Visitor {
  /** `visitor:<uuid>`, or `customer:<the site's own id>`, which is the same on each of the customer's devices. */
  readonly handle: string
  /** What they call themselves. */
  readonly name: string | null
}

const anonymous = "visitor:"
const known = "customer:"

/** The handle of somebody nobody knows yet. */
export const visitorHandle = (id: string): string => `${anonymous}${id}`

/** The handle of a customer of the site. */
export const customerHandle = (customer: string): string => `${known}${customer}`

/** Whether the site's server vouched for the holder of this handle. */
export const isCustomer = (handle: string): boolean => handle.startsWith(known)

/** Whether the site may call a customer this: it is part of a handle, which is trimmed, in one line and at most 255 long. */
export const isCustomerId = (text: string): boolean =>
  text !== "" && text.length <= 200 && text === text.trim() && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)

/** The handle of a visitor or customer, normalised, or why the text is none. */
export const parseVisitorHandle = (text: string): Either.Either<string, string> => {
  if (text.startsWith(known) && isCustomerId(text.slice(known.length))) return Either.right(text)
  const id = text.startsWith(anonymous) ? text.slice(anonymous.length) : ""
  return isUuid(id)
    ? Either.right(visitorHandle(id.toLowerCase()))
    : Either.left("must be visitor:<uuid>, or customer: and the site's own id of the customer")
}
