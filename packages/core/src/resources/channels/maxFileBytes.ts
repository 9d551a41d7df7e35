import type { FileKind, FileLimits } from "../../model/Channel.js"

/** Maximum size of a file of this kind in bytes. */
export const maxFileBytes = ({ bytes, bytesByType }: FileLimits, kind: FileKind): number =>
  Math.min(bytes, bytesByType?.[kind] ?? bytes)
