/** How many contacts each database knows before the first message. */
export const knownContacts = 2_000

/** Whether the handles that messages go to are known, or every one is met for the first time. */
export type Handles = "known" | "unknown"

/** The n-th handle. None ends in four digits that the sandbox takes for something special. */
export const handleOf = (n: number): string => `+4915${String(n * 10 + 9).padStart(9, "0")}`

/** Numbers of handles: the known ones in turn, or from behind them, none of them twice. */
export const handleNumbers = (): ((handles: Handles) => number) => {
  let known = 0
  let unknown = knownContacts
  return (handles) => (handles === "known" ? known++ % knownContacts : unknown++)
}

/** The body of the `POST /messages` that every contender is given. */
export const bodyOf = (handle: string) => ({
  channel: "whatsapp" as const,
  to: handle,
  type: "template" as const,
  external_reference: "order-4711",
  message: { template: "order_shipped", language: "en", variables: ["Ada", "4711"] as ReadonlyArray<string> }
})

/** What the template of that body has for its text, and what comes of it. */
export const templateBody = "Hello {{1}}, your order {{2}} is on its way."
export const renderedBody = "Hello Ada, your order 4711 is on its way."
