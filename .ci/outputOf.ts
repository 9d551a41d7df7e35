import { execFile } from "node:child_process"
import { promisify } from "node:util"

/**
 * The output of a program in a folder, without surrounding white space. The program does not get what a test run sets,
 * such as the NODE_PATH with the packages of this repository. Rejects with all that a failed program printed.
 */
export const outputOf = async (folder: string, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    env: { ...process.env, NODE_PATH: "", NODE_OPTIONS: "", NODE_ENV: "", VITEST: "" }
  }).catch((failure) => {
    throw new Error(`${failure.message}\n${failure.stdout}${failure.stderr}`)
  })
  return stdout.trim()
}
