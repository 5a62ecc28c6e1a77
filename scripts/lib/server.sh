# shellcheck shell=bash
# What a file under scripts/servers may rely on, and what it has to define.
#
# It defines
#   get     finds or fetches the program; may be called again at any time
#   start   starts the server in $dir on $port and returns when it is ready;
#           the first start creates the data
#   stop    ends it in good order and returns when it is gone
#   crash   ends it as a power cut would
#   url     prints the URL that the tests are given
# and may define
#   needs   prints the servers that have to run before it
#   extra   succeeds if the tests can do without it
#   secure  prints the URL of a listener on $secure_port that is encrypted and
#           wants a password; the authority to trust is its parameter ca
#
# It is given $name, $variable (the name of the URL's environment variable),
# $run (the directory of the whole run), $dir (its own), $port and $secure_port.

needs() { :; }
extra() { false; }
secure() { :; }

# variable_of NAME: prints the environment variable that holds a server's URL.
variable_of() { printf 'OUTBOX_TEST_%s\n' "${1^^}"; }
