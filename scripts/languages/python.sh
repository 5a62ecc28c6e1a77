# shellcheck shell=bash
# Python, with psycopg as wheels, which need no compiler.

# Wheels are made for one version of Python.
get() {
	need python3 python3
	quietly python3 -m pip --version || apt_install python3-pip
	fetched=python-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')-$(pinned "$folder/requirements.txt")
	cached "$fetched" fetch_psycopg
}

# fetch_psycopg DIRECTORY
fetch_psycopg() {
	say "fetching psycopg"
	quietly python3 -m pip install --quiet --only-binary :all: --target "$1" -r "$folder/requirements.txt"
}

program() { PYTHONPATH=$cache/$fetched PYTHONDONTWRITEBYTECODE=1 python3 "$folder/place_order.py"; }
