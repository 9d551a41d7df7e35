import { parseArgs } from "node:util"
import { type AttackName, attackNames } from "./attacks/names.js"

/** Options of `npm run soak -- …`. */
export interface SoakOptions {
  readonly minutes: number
  readonly database: "sqlite" | "postgres"
  /** Number of pairs of a block with attacks and one with a dummy load. */
  readonly blocks: number
  /** Messages that the application of the victims sends per second. */
  readonly messagesPerSecond: number
  readonly only: ReadonlyArray<AttackName>
}

const usage = `npm run soak -- [options]
  --minutes N             duration, with one minute of warm-up (default 30)
  --database NAME         postgres (default) or sqlite
  --blocks N              pairs of a block with attacks and one with a dummy load (default 5); at least 30 s each
  --rate N                messages of the victims' application per second (default 20)
  --only NAME,…           only these attacks:
                          ${attackNames.join("\n                          ")}`

/** Duration of the warm-up in seconds. */
export const warmUpSeconds = 60

const minBlockSeconds = 30

/** Seconds of one block. */
export const blockSeconds = ({ blocks, minutes }: Pick<SoakOptions, "blocks" | "minutes">): number =>
  (minutes * 60 - warmUpSeconds) / (2 * blocks)

/** Reads the command line; throws the usage if it is invalid. */
export const readSoakOptions = (argv: ReadonlyArray<string>): SoakOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      minutes: { type: "string", default: "30" },
      database: { type: "string", default: "postgres" },
      blocks: { type: "string", default: "5" },
      rate: { type: "string", default: "20" },
      only: { type: "string" },
      help: { type: "boolean" }
    }
  })
  const { database } = values
  const length = { minutes: Number(values.minutes), blocks: Number(values.blocks) }
  const messagesPerSecond = Number(values.rate)
  const named = values.only?.split(",") ?? attackNames
  const only = attackNames.filter((name) => named.includes(name))
  const fits =
    messagesPerSecond > 0 &&
    Number.isInteger(length.blocks) &&
    length.blocks >= 1 &&
    blockSeconds(length) >= minBlockSeconds &&
    only.length === named.length
  if (values.help === true || !fits || (database !== "sqlite" && database !== "postgres")) throw new Error(usage)
  return { ...length, database, messagesPerSecond, only }
}
