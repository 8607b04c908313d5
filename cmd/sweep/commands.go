package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const rootHelp = `sweep measures the batched negacyclic NTT on every backend that is here, proves
the bytes equal before it times anything, and says from which batch size one
backend overtakes another. Without --n, --ring, --op and --resident it goes on
to the Pulsar hot path, the root of a state, and a block of transactions.

  sweep [flags]                       the paper's ten batch sizes
  sweep list                          the backends, or why one is not here
  sweep auto                          what chooses among them, against the best
  sweep hotpath --signers 1,2,...,64  k signatures in flight as one batch
  sweep keccak --len 32,136           batches of Keccak-256
  sweep root --leaves 1996,49637      state roots; of a file with --input
  sweep blockstm endtoend             blocks of transactions in parallel
  sweep kat --file F --format junit   known answers, built in or from a file

Examples:
  sweep
  sweep --backend cpu,wgsl --n 1,4,...,65536 --format json --out new.json
  sweep --ring mldsa --op inverse --plot curve.svg --base old.json

Flags:
`

const exitHelp = `
Exit code: 0 ok, 1 mismatch or failure, 2 regression, 3 nothing run or compared.
`

func (a *app) rootCommand() *cobra.Command {
	o := &sweepOptions{}
	root := &cobra.Command{
		Use:           "sweep",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          a.noArguments,
		RunE:          func(c *cobra.Command, _ []string) error { return a.sweep(c.Context(), o, c.Flags()) },
	}
	o.add(root.Flags())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, RunE: func(_ *cobra.Command, args []string) error {
		c, _, err := root.Find(args)
		if err == nil {
			a.help(c, nil)
		}
		return usage(err)
	}})
	root.AddCommand(a.listCommand(), a.autoCommand(), a.hotPathCommand(), a.keccakCommand(), a.stateRootCommand(), a.blockSTMCommand(), a.katCommand())
	for _, c := range commands(root) {
		c.Flags().BoolP("help", "h", false, "this text")
		c.Flags().SortFlags = false
		c.SetFlagErrorFunc(flagError)
	}
	root.SetHelpFunc(a.help)
	return root
}

// commands are root and all that is below it.
func commands(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		all = append(all, commands(c)...)
	}
	return all
}

// help prints the text of a command and its flags.
func (a *app) help(c *cobra.Command, _ []string) {
	text := rootHelp
	if c.HasParent() {
		text = c.Long + "\n\nFlags:\n"
	}
	fmt.Fprint(a.stdout, text, c.Flags().FlagUsagesWrapped(0), exitHelp)
}

// fileFlags are the flags that take the file which a command is likely to be given
// without one.
var fileFlags = map[string]string{"kat": "--file", "root": "--input"}

// noArguments refuses arguments that are no command, and lists those that are; to
// a command it says what may have been meant.
func (a *app) noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if flag := fileFlags[c.Name()]; flag != "" {
		return usage(fmt.Errorf("%s takes no arguments; did you mean %s %s?", c.Name(), flag, args[0]))
	}
	if c.HasParent() {
		return usage(fmt.Errorf("%s takes no arguments, such as %q, but flags; sweep %[1]s --help lists them", c.Name(), args[0]))
	}
	var names []string
	for _, sub := range c.Root().Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return usage(fmt.Errorf("unknown argument %q; the commands are %s", args[0], strings.Join(names, ", ")))
}

// valuesOf says what a flag takes, by the type of its value in package pflag, whose
// own errors are those of the functions that parse it.
var valuesOf = map[string]string{
	"float64":  "a ratio such as 0.1",
	"uint64":   "a number from 0 to 18446744073709551615",
	"duration": "a time such as 200ms",
	"bool":     "true or false",
}

// flagError says what a flag takes that was given something else, and of one that
// there is not which there are.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f := value.GetFlag()
		if takes := valuesOf[f.Value.Type()]; takes != "" {
			return usage(fmt.Errorf("--%s: %q is not %s", f.Name, value.GetValue(), takes))
		}
		return usage(err)
	}
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		return usage(err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usage(fmt.Errorf("%w; the flags are %s", err, strings.Join(names, " ")))
}

func (a *app) listCommand() *cobra.Command {
	o := &backendOptions{}
	c := &cobra.Command{
		Use: "list",
		Long: "sweep list names every backend of this build with its device and what it can do,\n" +
			"or says why it is not here and what to install.",
		Args: a.noArguments,
		RunE: func(*cobra.Command, []string) error { return a.list(o) },
	}
	o.addDevice(c.Flags())
	return c
}

func (a *app) hotPathCommand() *cobra.Command {
	o := &hotPathOptions{}
	c := &cobra.Command{
		Use: "hotpath",
		Long: "sweep hotpath measures what a Pulsar signature asks of the transform, with k\n" +
			"signatures in flight as one batch, and from how many a device pays. It reads the\n" +
			"signature in two ways: the paper's 2,688 forward transforms, and Round 1 of\n" +
			"Ringtail as it is, per party 735 forward transforms, 735 conversions to\n" +
			"Montgomery form and 2,744 multiply-accumulates as one resident chain.\n\n" +
			"Example:\n  sweep hotpath --backend wgsl --signers 1,2,...,64",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.hotPath(c.Context(), o) },
	}
	o.add(c.Flags())
	return c
}

func (a *app) keccakCommand() *cobra.Command {
	o := &keccakOptions{}
	c := &cobra.Command{
		Use: "keccak",
		Long: "sweep keccak measures Keccak-256 over batches of messages of one length, from\n" +
			"memory to digests in memory, on every backend, and says from which batch one\n" +
			"overtakes another. The lengths by default are those of a digest, of two, of the\n" +
			"last message of one block and the first of two, and of a trie's full branch.\n\n" +
			"Example:\n  sweep keccak --len 136 --n 1,2,...,1024 --plot keccak.svg",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.keccak(c.Context(), o) },
	}
	o.add(c.Flags())
	return c
}

func (a *app) stateRootCommand() *cobra.Command {
	o := &rootOptions{}
	c := &cobra.Command{
		Use: "root",
		Long: "sweep root measures the root of a state, by phases, on every backend, and says\n" +
			"from how many leaves one overtakes another; or it prints the Merkle-Patricia\n" +
			"root of a CSV file. Lines are address,balance for accounts with nonce 0 and no\n" +
			"code or storage, and key,value for raw, with the keys as they are, and secure,\n" +
			"with their hashes. All is hexadecimal, with 0x or without, but a balance, which\n" +
			"is decimal. An empty value deletes, and of equal keys the later counts. The two\n" +
			"words may stand as a first line.\n\n" +
			"Examples:\n  sweep root --kind mpt,merkle,flat --backend cpu,wgsl\n" +
			"  sweep root --input genesis.csv --as accounts",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.root(c.Context(), o, c.Flags()) },
	}
	o.add(c.Flags())
	return c
}

func (a *app) katCommand() *cobra.Command {
	o := &katOptions{}
	c := &cobra.Command{
		Use: "kat",
		Long: "sweep kat runs known answers on every backend, of transforms, hashes and state\n" +
			"roots: those built in, or a file in the schema of kat/README.md or in Lux's\n" +
			"lux.math.kat.v1. What a backend does not support is shown as skipped. The row\n" +
			"keccak package is of the hash functions in Go that no backend has, SHA-3 and\n" +
			"SHAKE, and of Keccak-256 beside them.\n\n" +
			"Example, for a CI of your own:\n  sweep kat --require wgsl --format junit --out kat.xml",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.kat(c.Context(), o) },
	}
	o.add(c.Flags())
	return c
}
