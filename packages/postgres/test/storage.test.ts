import { postgres, storageContract } from "@parley/testkit"

storageContract("postgres", postgres)
