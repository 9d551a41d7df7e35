/** Number of contacts in each database before the first message. */
export const knownContacts = 2_000

/** Whether messages go to known handles, or each to a new one. */
export type Handles = "known" | "unknown"

/** The n-th handle, without the special last four digits of the sandbox. */
export const handleOf = (n: number): string => `+4915${String(n * 10 + 9).padStart(9, "0")}`

/** Numbers of handles: the known ones in turn, or new ones without repetition. */
export const handleNumbers = (): ((handles: Handles) => number) => {
  let known = 0
  let unknown = knownContacts
  return (handles) => (handles === "known" ? known++ % knownContacts : unknown++)
}

/** The body of `POST /messages` for every contender. */
export const bodyOf = (handle: string) => ({
  channel: "whatsapp" as const,
  to: handle,
  type: "template" as const,
  external_reference: "order-4711",
  message: { template: "order_shipped", language: "en", variables: ["Ada", "4711"] as ReadonlyArray<string> }
})

/** The text of the template in that body, and the rendered text. */
export const templateBody = "Hello {{1}}, your order {{2}} is on its way."
export const renderedBody = "Hello Ada, your order 4711 is on its way."
