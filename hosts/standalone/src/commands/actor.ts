import { userInfo } from "node:os"

/** Whoever runs the command, as the system calls them, for the audit log: printable and short; empty where it has no name for them. */
export const actor = (): string => {
  try {
    return userInfo()
      .username.replace(/[^\x20-\x7e]/g, "?")
      .trim()
      .slice(0, 100)
  } catch {
    // In a container, a user may have a number alone.
    return ""
  }
}
