import { readFileSync } from "node:fs"
import { query } from "../world/Store.js"

const ticksPerSecond = 100

/**
 * Reads the CPU time in µs that a server of Postgres on this machine has used; null if the system does not report it.
 */
export type PostgresCpu = () => number | null

/** The CPU time of all processes of a server: of those that run, and of those that have ended. */
export const postgresCpu = async (url: string): Promise<PostgresCpu> => {
  const [row] = await query(url, "SELECT pg_read_file('postmaster.pid') AS text")
  const server = Number.parseInt(row.text, 10)
  return () => {
    const own = ticksOf(server, true)
    if (own === null) return null
    const running = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim().split(" ")
    const ticks = running.reduce((sum, pid) => sum + (ticksOf(Number(pid), false) ?? 0), own)
    return (ticks * 1_000_000) / ticksPerSecond
  }
}

/** User and system time, with those of ended children if asked. Null for a process that does not exist. */
const ticksOf = (pid: number, withEnded: boolean): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // the name before it may hold spaces
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
    return user + system + (withEnded ? endedUser + endedSystem : 0)
  } catch {
    return null
  }
}
