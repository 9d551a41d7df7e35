import { readFileSync } from "node:fs"

const ticksPerSecond = 100

/** Microseconds of CPU that a process has used so far; null if the system does not report it. */
export const cpuMicrosOf = (pid: number): number | null => {
  const stat = contentOf(`/proc/${pid}/stat`)
  if (stat === null) return null
  // the name before it may hold spaces
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond
}

/** Resident memory of a process in bytes; null if the system does not report it. */
export const memoryOf = (pid: number): number | null => {
  const kilobytes = contentOf(`/proc/${pid}/status`)?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024
}

const contentOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}
