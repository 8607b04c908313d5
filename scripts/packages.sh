# Sourced by test.sh: what the full suite needs besides Go, and how to get it.

# vulkan_present says whether there is a Vulkan loader and a driver for it.
vulkan_present() {
	# No grep -q: it would end ldconfig by SIGPIPE, a failure under pipefail.
	PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep 'libvulkan\.so\.1' >/dev/null || return 1
	[ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] ||
		ls /usr/share/vulkan/icd.d /etc/vulkan/icd.d 2>/dev/null | grep '\.json$' >/dev/null
}

# install_packages makes a Vulkan device available on Debian, where it may.
install_packages() {
	case $(uname -s) in
	Darwin) echo "macOS: the wgsl backend uses Metal, which is there; nothing to install." && return 0 ;;
	Linux) ;;
	*) return 0 ;;
	esac
	vulkan_present && return 0
	if [ -n "${NO_INSTALL:-}" ]; then
		echo "No Vulkan driver, and NO_INSTALL is set: tests of the wgsl backend will be skipped."
	elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "Installing for the wgsl backend (NO_INSTALL=1 forbids it): libvulkan1 mesa-vulkan-drivers"
		apt-get update -q >/dev/null || true
		DEBIAN_FRONTEND=noninteractive apt-get install -y -q libvulkan1 mesa-vulkan-drivers >/dev/null
	else
		echo "No Vulkan driver: tests of the wgsl backend will be skipped. On Debian or Ubuntu:"
		echo "    sudo apt-get install libvulkan1 mesa-vulkan-drivers"
	fi
}

# pin_lavapipe selects Mesa's CPU driver, unless a driver was chosen already.
pin_lavapipe() {
	[ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] || return 0
	local icd
	for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
		[ -e "$icd" ] || return 0
		# Mesa's device selection has nothing to select then, and complains of a
		# missing XDG_RUNTIME_DIR in containers.
		export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd NODEVICE_SELECT=1
		return 0
	done
}
