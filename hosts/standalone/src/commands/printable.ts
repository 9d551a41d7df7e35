import { Console, Effect } from "effect"

/** Control characters but for line breaks and tabs, and those that turn the direction of what follows. */
const acting = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Whether a terminal would do something with a text other than show it. */
export const isActing = (text: string): boolean => text.search(acting) >= 0

/**
 * The text with every character that a terminal acts upon as its escape, `\u001b`: whoever wrote a file, a contact's name or an
 * answer moves no cursor. JSON says the same thing after it as before.
 */
export const printable = (text: string): string =>
  text.replace(acting, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Everything that this prints is {@link printable}. The log of a host, with its colours, is not printed by it. */
export const printingPlainly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...texts.map(plain)),
      error: (...texts) => console.error(...texts.map(plain))
    })
  )

const plain = (value: unknown): unknown => (typeof value === "string" ? printable(value) : value)
