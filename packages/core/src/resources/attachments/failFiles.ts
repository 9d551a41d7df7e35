import type { AttachedFile } from "../../model/AttachedFile.js"
import { expect, type Parts, set } from "../../ports/Changes.js"

/**
 * Changes after which files that could not be fetched are not found (docs/reference/messages.md#attachment-links).
 * Where they were to be fetched is forgotten: URLs may contain secrets of the sender.
 */
export const failFiles = (files: ReadonlyArray<Pick<AttachedFile, "id" | "version">>): Parts => ({
  expects: files.map(({ id, version }) => expect("attachedFiles", { id }, { version })),
  sets: files.map(({ id }) => set("attachedFiles", { id }, { status: "failed", reference: null }))
})
