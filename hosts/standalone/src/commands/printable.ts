import { Console, Effect } from "effect"

/** Control characters except line breaks and tabs, and characters that change the text direction. */
const acting = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Whether the text contains characters that a terminal interprets instead of showing. */
export const isActing = (text: string): boolean => text.search(acting) >= 0

/**
 * Replaces every character that a terminal interprets by its escape, `\u001b`, so that text from files, contacts and
 * answers cannot control the terminal. JSON keeps its meaning.
 */
export const printable = (text: string): string =>
  text.replace(acting, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Makes all output of the effect {@link printable}. The coloured log of a host is written without it. */
export const printingPlainly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...texts.map(plain)),
      error: (...texts) => console.error(...texts.map(plain))
    })
  )

const plain = (value: unknown): unknown => (typeof value === "string" ? printable(value) : value)
