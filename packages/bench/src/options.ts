import { parseArgs } from "node:util"

const sections = [
  "engine",
  "stories",
  "http",
  "access",
  "deliveries",
  "subscriptions",
  "enqueue",
  "jobs",
  "inProcess",
  "lists",
  "throttle",
  "snapshot",
  "runs",
  "inbound",
  "chat",
  "bodies",
  "files",
  "memory",
  "install"
] as const
export type SectionName = (typeof sections)[number]

/** Options of `npm run bench -- …`. */
export interface Options {
  readonly only: ReadonlyArray<SectionName>
  /** Duration of one round in seconds. */
  readonly seconds: number
  readonly rounds: number
  /** Duration of inbound load in seconds; at most ten of them for the highest rate. */
  readonly inbound: number
  /** Number of messages for the memory measurement. */
  readonly messages: number
  /** Number of listed contacts on Postgres; a tenth on SQLite. */
  readonly contacts: number
  /** Number of listed conversations, and of messages of one. */
  readonly rows: number
  /** Number of waiting runs on Postgres beside the due ones; a tenth on SQLite. */
  readonly waiting: number
  /** Number of seconds for which a snapshot is held on Postgres. */
  readonly held: number
  /** Number of open web chat streams. */
  readonly streams: number
  /** Number of webhook endpoints, and of those that hang. */
  readonly endpoints: number
  readonly hanging: number
  /** Webhooks per second beside endpoints that hang. */
  readonly webhooks: number
  /** Whether backlogs of webhooks are measured too. */
  readonly backlog: boolean
  /** Folder for a CPU profile of each process, or null: profiles cost time, so the figures are too high then. */
  readonly profile: string | null
  /** File to write the results to, or null. */
  readonly write: string | null
}

const usage = `npm run bench -- [options]
  --only engine,stories,http,access,deliveries,subscriptions,enqueue,jobs,inProcess,lists,throttle,snapshot,runs,inbound,chat,bodies,files,memory,install   only these parts
  --seconds N                 duration of one round (default 5)
  --rounds N                  rounds of each side (default 3)
  --inbound N                 seconds of inbound webhooks (default 60)
  --messages N                messages before the memory of the host is measured (default 100000)
  --contacts N                listed contacts on Postgres, a tenth on SQLite (default 1000000)
  --rows N                    listed conversations, and messages of one (default 1000000)
  --waiting N                 waiting runs on Postgres beside the due ones, a tenth on SQLite (default 1000000)
  --held N                    seconds for which a snapshot is held on Postgres (default 600)
  --streams N                 open web chat streams (default 8000)
  --endpoints N               webhook endpoints (default 20)
  --hanging N                 those of them that hang (default a fifth)
  --webhooks N                webhooks per second beside endpoints that hang (default 200)
  --no-backlog                no backlogs of webhooks
  --profile FOLDER            write profiles of each process there, and print the parts of CPU time and allocations
  --write FILE                also write the table and the machine to this file`

/** Reads the command line; throws the usage if it is invalid. */
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
      held: { type: "string", default: "600" },
      streams: { type: "string", default: "8000" },
      endpoints: { type: "string", default: "20" },
      hanging: { type: "string" },
      webhooks: { type: "string", default: "200" },
      "no-backlog": { type: "boolean", default: false },
      profile: { type: "string" },
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
    waiting: Number(values.waiting),
    held: Number(values.held),
    streams: Number(values.streams),
    endpoints: Number(values.endpoints),
    hanging: Number(values.hanging ?? Math.ceil(Number(values.endpoints) / 5)),
    webhooks: Number(values.webhooks)
  }
  const wanted = values.only?.split(",") ?? sections
  const known = sections.filter((section) => wanted.includes(section))
  const fits =
    Object.values(numbers).every((number) => number >= 1) &&
    known.length === wanted.length &&
    numbers.hanging < numbers.endpoints
  if (values.help === true || !fits) throw new Error(usage)
  return {
    only: known,
    ...numbers,
    backlog: !values["no-backlog"],
    profile: values.profile ?? null,
    write: values.write ?? null
  }
}
