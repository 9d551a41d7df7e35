import { parseArgs } from "node:util"

const sections = ["engine", "http", "access", "memory"] as const
export type SectionName = (typeof sections)[number]

/** What `npm run bench -- …` was asked for. */
export interface Options {
  readonly only: ReadonlyArray<SectionName>
  /** Of one round. */
  readonly seconds: number
  readonly rounds: number
  /** For the memory of the host. */
  readonly messages: number
  /** Where the results are written too; null: nowhere. */
  readonly write: string | null
}

const usage = `npm run bench -- [options]
  --only engine,http,access,memory   only these parts
  --seconds N                 of one round (default 5)
  --rounds N                  of each side (default 3)
  --messages N                that the host's memory is measured after (default 100000)
  --write FILE                writes the table and the machine there too`

/** Reads the command line; throws with the usage where it makes no sense. */
export const readOptions = (argv: ReadonlyArray<string>): Options => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      messages: { type: "string", default: "100000" },
      write: { type: "string" },
      help: { type: "boolean" }
    }
  })
  const [seconds, rounds, messages] = [values.seconds, values.rounds, values.messages].map(Number) as [
    number,
    number,
    number
  ]
  const wanted = values.only?.split(",") ?? sections
  const known = sections.filter((section) => wanted.includes(section))
  const fits = seconds >= 1 && rounds >= 1 && messages >= 1 && known.length === wanted.length
  if (values.help === true || !fits) throw new Error(usage)
  return { only: known, seconds, rounds, messages, write: values.write ?? null }
}
