import { userInfo } from "node:os"

/**
 * The name of the user who runs the command, for the audit log: printable and short; empty if the system has no name.
 */
export const actor = (): string => {
  try {
    return userInfo()
      .username.replace(/[^\x20-\x7e]/g, "?")
      .trim()
      .slice(0, 100)
  } catch {
    // In a container, a user may have no name.
    return ""
  }
}
