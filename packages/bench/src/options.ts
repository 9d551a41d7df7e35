import { parseArgs } from "node:util"

const sections = ["engine", "http", "access", "deliveries", "lists", "throttle", "runs", "inbound", "memory"] as const
export type SectionName = (typeof sections)[number]

/** What `npm run bench -- …` was asked for. */
export interface Options {
  readonly only: ReadonlyArray<SectionName>
  /** Of one round. */
  readonly seconds: number
  readonly rounds: number
  /** That webhooks come in for; the highest rate is held for ten of them at most. */
  readonly inbound: number
  /** For the memory of the host. */
  readonly messages: number
  /** That are listed on Postgres; a tenth of them on SQLite. */
  readonly contacts: number
  /** Conversations that are listed, and messages of one. */
  readonly rows: number
  /** How many runs wait on Postgres beside those that are woken; a tenth of them on SQLite. */
  readonly waiting: number
  /** Where the results are written too; null: nowhere. */
  readonly write: string | null
}

const usage = `npm run bench -- [options]
  --only engine,http,access,deliveries,lists,throttle,runs,inbound,memory   only these parts
  --seconds N                 of one round (default 5)
  --rounds N                  of each side (default 3)
  --inbound N                 seconds that webhooks come in for (default 60)
  --messages N                that the host's memory is measured after (default 100000)
  --contacts N                that are listed on Postgres, a tenth of them on SQLite (default 1000000)
  --rows N                    conversations that are listed, and messages of one (default 1000000)
  --waiting N                 runs that wait on Postgres beside those that are woken, a tenth of them on SQLite (default 1000000)
  --write FILE                writes the table and the machine there too`

/** Reads the command line; throws with the usage where it makes no sense. */
export const readOptions = (argv: ReadonlyArray<string>): Options => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      inbound: { type: "string", default: "60" },
      messages: { type: "string", default: "100000" },
      contacts: { type: "string", default: "1000000" },
      rows: { type: "string", default: "1000000" },
      waiting: { type: "string", default: "1000000" },
      write: { type: "string" },
      help: { type: "boolean" }
    }
  })
  const numbers = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    inbound: Number(values.inbound),
    messages: Number(values.messages),
    contacts: Number(values.contacts),
    rows: Number(values.rows),
    waiting: Number(values.waiting)
  }
  const wanted = values.only?.split(",") ?? sections
  const known = sections.filter((section) => wanted.includes(section))
  const fits = Object.values(numbers).every((number) => number >= 1) && known.length === wanted.length
  if (values.help === true || !fits) throw new Error(usage)
  return { only: known, ...numbers, write: values.write ?? null }
}
